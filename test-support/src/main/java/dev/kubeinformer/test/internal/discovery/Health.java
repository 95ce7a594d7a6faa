package dev.kubeinformer.test.internal.discovery;

import java.util.List;
import java.util.Set;

import dev.kubeinformer.test.internal.http.Exchange;

/**
 * Health endpoints, which always succeed.
 */
public final class Health {

	private static final Set<String> ENDPOINTS = Set.of("readyz", "livez", "healthz");

	private static final List<String> CHECKS = List.of("ping", "log", "etcd");

	private Health() {
	}

	public static boolean isAt(String path) {
		String[] segments = path.split("/");
		return segments.length > 1 && segments.length < 4 && ENDPOINTS.contains(segments[1]);
	}

	public static void answer(Exchange exchange) {
		String[] segments = exchange.recorded().path().split("/");
		if (segments.length > 2) {
			boolean known = CHECKS.contains(segments[2]);
			exchange.text((known) ? 200 : 404, (known) ? "ok" : "404 page not found\n");
			return;
		}
		boolean verbose = exchange.recorded().query().containsKey("verbose");
		exchange.text(200, (verbose) ? report(segments[1], exchange.query().text("exclude")) : "ok");
	}

	private static String report(String endpoint, String excluded) {
		StringBuilder report = new StringBuilder();
		for (String check : CHECKS) {
			report.append("[+]").append(check).append((check.equals(excluded)) ? " excluded: ok\n" : " ok\n");
		}
		return report.append(endpoint).append(" check passed\n").toString();
	}

}
