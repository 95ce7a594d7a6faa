package dev.kubeinformer.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

import dev.kubeinformer.internal.client.ClusterAccess.Impersonation;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Impersonates a user in each request that does not impersonate a user already, with the
 * headers of <a href=
 * "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation">user
 * impersonation</a>.
 */
final class ImpersonationInterceptor implements Interceptor {

	private static final String USER = "Impersonate-User";

	/**
	 * Characters that are not escaped in a header name. The percent sign is not among
	 * them, because it begins an escape.
	 */
	private static final String NAME_CHARACTERS = "!#$&'*+-.^_`|~";

	private static final int ASCII = 0x80;

	private final List<Header> headers;

	private ImpersonationInterceptor(List<Header> headers) {
		this.headers = headers;
	}

	/**
	 * Creates the interceptor.
	 * @param user the user
	 * @param place the name of the configuration that sets the user, as the subject of a
	 * sentence
	 * @param field the name of the field that sets the user
	 * @return the interceptor; empty if no user is set
	 * @throws ClientConfigurationException if groups or other attributes are set without
	 * a user, or cannot be sent
	 */
	static Stream<Interceptor> of(Impersonation user, String place, String field) {
		List<Header> headers = headers(user);
		if (headers.isEmpty()) {
			return Stream.empty();
		}
		if (user.user() == null) {
			throw new ClientConfigurationException(place, field,
					"is not set, but groups, UID or extra attributes of a user are; they need a user", null);
		}
		if (!headers.stream().allMatch(Header::canBeSent)) {
			throw new ClientConfigurationException(place, field,
					"or one of its attributes has a value that an HTTP header cannot contain, with a "
							+ "line break or a letter beyond ASCII",
					null);
		}
		return Stream.of(new ImpersonationInterceptor(headers));
	}

	private static List<Header> headers(Impersonation user) {
		List<Header> headers = new ArrayList<>();
		if (user.user() != null) {
			headers.add(new Header(USER, user.user()));
		}
		if (user.uid() != null) {
			headers.add(new Header("Impersonate-Uid", user.uid()));
		}
		user.groups().forEach((group) -> headers.add(new Header("Impersonate-Group", group)));
		user.extra()
			.forEach((name, values) -> values
				.forEach((value) -> headers.add(new Header("Impersonate-Extra-" + escaped(name), value))));
		return headers;
	}

	// Same escaping as in client-go (transport/round_trippers.go, headerKeyEscape).
	private static String escaped(String name) {
		StringBuilder text = new StringBuilder();
		for (byte octet : name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
			char character = (char) (octet & 0xff);
			if (character < ASCII
					&& (Character.isLetterOrDigit(character) || NAME_CHARACTERS.indexOf(character) >= 0)) {
				text.append(character);
			}
			else {
				text.append("%%%02X".formatted((int) character));
			}
		}
		return text.toString();
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		if (chain.request().header(USER) != null) {
			return chain.proceed(chain.request());
		}
		Request.Builder request = chain.request().newBuilder();
		this.headers.forEach((header) -> request.addHeader(header.name(), header.value()));
		return chain.proceed(request.build());
	}

	/**
	 * Header of a request.
	 *
	 * @param name the name
	 * @param value the value
	 */
	private record Header(String name, String value) {

		boolean canBeSent() {
			return this.value.chars().allMatch((character) -> character >= ' ' && character <= '~');
		}

	}

}
