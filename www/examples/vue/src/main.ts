import { VueQueryPlugin } from "@tanstack/vue-query";
import { createApp } from "vue";
import Transfers from "./Transfers.vue";

createApp(Transfers).use(VueQueryPlugin).mount("#root");
