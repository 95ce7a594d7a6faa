package dev.kubeinformer.spring.console;

import java.util.Map;
import java.util.function.BiConsumer;

import org.springframework.http.HttpHeaders;

/**
 * Headers of all that the console answers: it loads nothing of another origin, is shown
 * in no frame of one, and is asked for again after an update of the application.
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
