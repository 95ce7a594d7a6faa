import "./console.js";
