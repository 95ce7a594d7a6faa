package dev.kubeinformer.spring.console;

import java.util.Map;
import java.util.function.BiConsumer;

import org.springframework.http.HttpHeaders;

/**
 * Headers of every response of the console. They let the page load files only from its
 * own origin, and let only pages of this origin show it in a frame. Browsers revalidate
 * each file on every use, so an update of the application takes effect at once.
 */
final class ConsoleHeaders {

	private static final Map<String, String> ALL = Map.of("Content-Security-Policy",
			"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; object-src 'none'",
			"X-Content-Type-Options", "nosniff", "Referrer-Policy", "same-origin", HttpHeaders.CACHE_CONTROL,
			"no-cache");

	private ConsoleHeaders() {
	}

	static void forEach(BiConsumer<String, String> setter) {
		ALL.forEach(setter);
	}

}
