package dev.kubeinformer.spring.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Sets the headers of the console's responses in servlet applications.
 */
class ServletConsoleHeaders implements HandlerInterceptor {

	private final ConsolePaths paths;

	ServletConsoleHeaders(ConsolePaths paths) {
		this.paths = paths;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		if (request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern
				&& this.paths.isConsole(pattern)) {
			ConsoleHeaders.forEach(response::setHeader);
		}
		return true;
	}

}
