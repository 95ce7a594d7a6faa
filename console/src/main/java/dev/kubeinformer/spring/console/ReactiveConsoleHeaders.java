package dev.kubeinformer.spring.console;

import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Sets the headers of the console's responses in reactive applications.
 */
class ReactiveConsoleHeaders implements WebFilter {

	private final ConsolePaths paths;

	ReactiveConsoleHeaders(ConsolePaths paths) {
		this.paths = paths;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (this.paths.isConsole(exchange.getRequest().getPath().pathWithinApplication().value())) {
			ConsoleHeaders.forEach(exchange.getResponse().getHeaders()::set);
		}
		return chain.filter(exchange);
	}

}
