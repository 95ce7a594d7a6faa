package dev.kubeinformer.spring.autoconfigure.guard;

import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Authenticator;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether a server on this machine is an embedded API, by the version of the
 * server. Does not send a token, because the server may be a developer's real cluster.
 */
final class EmbeddedApiProbe {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final long MOST_BYTES = 10_000;

	private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|::1");

	private static final Pattern EMBEDDED_VERSION = Pattern.compile("\"gitVersion\"\\s*:\\s*\"[^\"]*-embedded\"");

	private EmbeddedApiProbe() {
	}

	static boolean isEmbedded(ApiClient client) {
		HttpUrl url = versionUrl(client);
		if (url == null || !LOOPBACK.matcher(url.host()).matches()) {
			return false;
		}
		Request request = new Request.Builder().url(url).build();
		try (Response response = withoutCredentials(client.getHttpClient()).newCall(request).execute()) {
			return response.isSuccessful() && EMBEDDED_VERSION.matcher(response.peekBody(MOST_BYTES).string()).find();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static @Nullable HttpUrl versionUrl(ApiClient client) {
		HttpUrl base = HttpUrl.parse(String.valueOf(client.getBasePath()));
		if (base == null) {
			return null;
		}
		return base.newBuilder().username("").password("").query(null).addPathSegment("version").build();
	}

	// Keep the connections and trusted certificates of the client.
	private static OkHttpClient withoutCredentials(OkHttpClient client) {
		OkHttpClient.Builder builder = client.newBuilder()
			.callTimeout(TIMEOUT)
			.followRedirects(false)
			.followSslRedirects(false)
			.authenticator(Authenticator.NONE)
			.cookieJar(CookieJar.NO_COOKIES);
		builder.interceptors().clear();
		builder.networkInterceptors().clear();
		return builder.build();
	}

}
