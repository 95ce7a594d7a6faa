package dev.kubeinformer.test.internal.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.RequestLog;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Rejects requests whose host is not a name of this server. The server listens on
 * loopback only, but the browser of a developer can connect to it. Without this check, a
 * web page could use the API if the name of its site resolves to 127.0.0.1 (DNS
 * rebinding). Requests of such a page have the name of the site as their host.
 */
public final class HostCheck extends Handler.Wrapper {

	private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "0:0:0:0:0:0:0:1");

	private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");

	private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9.:_-]");

	private static final int LONGEST_NAME = 253;

	private final Set<String> names;

	private final RequestLog log;

	/**
	 * Creates the check.
	 * @param names the names of this server in addition to the loopback names
	 * @param log the log of the requests
	 * @param handler the handler of allowed requests
	 */
	public HostCheck(List<String> names, RequestLog log, Handler handler) {
		super(handler);
		this.names = Stream.concat(names.stream().map((name) -> name.toLowerCase(Locale.ROOT)), LOOPBACK.stream())
			.collect(Collectors.toUnmodifiableSet());
		this.log = log;
	}

	@Override
	public boolean handle(Request request, Response response, Callback callback) throws Exception {
		String host = request.getHttpURI().getHost();
		if (isOwn(host)) {
			return super.handle(request, response, callback);
		}
		new Exchange(request, response, callback, this.log).fail(Statuses.of(403,
				"forbidden: the host \"%s\" is not this server; add it by EmbeddedKubernetes.builder().hosts(\"...\") if it is"
					.formatted(printable(host))));
		return true;
	}

	// A request without a host does not come from a browser.
	private boolean isOwn(@Nullable String host) {
		if (host == null || host.isEmpty()) {
			return true;
		}
		String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
		return this.names.contains(bare.toLowerCase(Locale.ROOT)) || LOOPBACK_V4.matcher(bare).matches();
	}

	private static String printable(@Nullable String host) {
		String name = NO_NAME.matcher(String.valueOf(host)).replaceAll("?");
		return (name.length() > LONGEST_NAME) ? name.substring(0, LONGEST_NAME) : name;
	}

}
