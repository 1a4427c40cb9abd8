// Entry point of the page.
import "./styles/tokens.css";
import "./styles/base.css";
import "./app/app.js";
