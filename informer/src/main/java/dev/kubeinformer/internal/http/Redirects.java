package dev.kubeinformer.internal.http;

import java.util.Set;

import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.text.PrintableText;

/**
 * Rejects redirects (RFC 9110, section 15.4). kube-apiserver does not send redirects.
 * Another server could use a redirect to send a token and the written object to any host.
 */
public final class Redirects {

	/**
	 * Status codes of the redirects that a client follows by default. A response may have
	 * such a code and no target.
	 */
	private static final Set<Integer> FOLLOWED = Set.of(300, 301, 302, 303, 307, 308);

	private static final int FIRST = 300;

	private static final int LAST = 399;

	private static final String MESSAGE = "the response is a redirect to %s, which is not followed, as no API server sends one; set the URL of the client to that of the API server, or look at the proxy between them";

	private Redirects() {
	}

	/**
	 * Makes a client not follow redirects.
	 * @param builder the builder
	 * @return the same builder
	 */
	public static OkHttpClient.Builder refuse(OkHttpClient.Builder builder) {
		return builder.followRedirects(false).followSslRedirects(false);
	}

	/**
	 * Returns the failure to report for a redirect.
	 * @param response the response
	 * @return the failure; {@code null} if the response is not a redirect
	 */
	public static @Nullable ApiStatus status(Response response) {
		return status(response.code(), response.header("Location"), response.request().url());
	}

	/**
	 * Returns the failure to report for a redirect. The failure names only scheme, host
	 * and port of the target, because the rest of a URL may contain secrets.
	 * @param code the HTTP status
	 * @param location the target in the response; {@code null} if there is none
	 * @param asked the URL of the request; {@code null} if unknown
	 * @return the failure; {@code null} if the response is not a redirect
	 */
	public static @Nullable ApiStatus status(int code, @Nullable String location, @Nullable HttpUrl asked) {
		boolean redirect = FOLLOWED.contains(code) || (code >= FIRST && code <= LAST && location != null);
		return redirect ? new ApiStatus(code, "Redirect", MESSAGE.formatted(target(location, asked)), "", null) : null;
	}

	private static String target(@Nullable String location, @Nullable HttpUrl asked) {
		if (location == null) {
			return "nowhere";
		}
		HttpUrl url = (asked != null) ? asked.resolve(location) : HttpUrl.parse(location);
		if (url == null) {
			return (asked != null) ? "an invalid address" : "another address";
		}
		String origin = new HttpUrl.Builder().scheme(url.scheme()).host(url.host()).port(url.port()).build().toString();
		return "'%s'".formatted(PrintableText.of(origin.substring(0, origin.length() - 1)));
	}

}
