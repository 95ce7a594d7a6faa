package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Another user as whom requests are made, by the headers of <a href=
 * "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation">user
 * impersonation</a>.
 *
 * @param user the name; {@code null} if nobody is named
 * @param groups the groups
 * @param uid the UID; {@code null} for none
 * @param extra other attributes, by their names
 */
record Impersonation(@Nullable String user, List<String> groups, @Nullable String uid,
		Map<String, List<String>> extra) {

	private static final String USER = "Impersonate-User";

	/** What a header's name may hold, without the percent sign of those escaped. */
	private static final String NAME_CHARACTERS = "!#$&'*+-.^_`|~";

	/**
	 * Returns whether nothing is named at all.
	 * @return whether requests are made as whom the credentials say
	 */
	boolean isEmpty() {
		return this.user == null && this.groups.isEmpty() && this.uid == null && this.extra.isEmpty();
	}

	/**
	 * Returns whether a user is missing, whom the API server wants.
	 * @return whether there are attributes of nobody
	 */
	boolean isOfNobody() {
		return this.user == null && !isEmpty();
	}

	/**
	 * Returns whether each value fits into a header.
	 * @return whether all do
	 */
	boolean fitsHeaders() {
		return Stream
			.of(Stream.ofNullable(this.user), this.groups.stream(), Stream.ofNullable(this.uid),
					this.extra.values().stream().flatMap(List::stream))
			.flatMap((values) -> values)
			.allMatch((value) -> value.chars().allMatch((character) -> character >= ' ' && character <= '~'));
	}

	/**
	 * Has a client make each request as that user, unless a request names one itself.
	 * @param client the client
	 */
	void apply(ApiClient client) {
		List<Header> headers = headers();
		Interceptor interceptor = (chain) -> intercept(chain, headers);
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(interceptor).build());
	}

	private static Response intercept(Interceptor.Chain chain, List<Header> headers) throws IOException {
		if (chain.request().header(USER) != null) {
			return chain.proceed(chain.request());
		}
		Request.Builder request = chain.request().newBuilder();
		headers.forEach((header) -> request.addHeader(header.name(), header.value()));
		return chain.proceed(request.build());
	}

	private List<Header> headers() {
		List<Header> headers = new ArrayList<>();
		if (this.user != null) {
			headers.add(new Header(USER, this.user));
		}
		if (this.uid != null) {
			headers.add(new Header("Impersonate-Uid", this.uid));
		}
		this.groups.forEach((group) -> headers.add(new Header("Impersonate-Group", group)));
		this.extra.forEach((name, values) -> values
			.forEach((value) -> headers.add(new Header("Impersonate-Extra-" + escaped(name), value))));
		return headers;
	}

	/**
	 * As client-go ({@code transport/round_trippers.go}, headerKeyEscape).
	 */
	private static String escaped(String name) {
		StringBuilder text = new StringBuilder();
		for (byte octet : name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
			char character = (char) (octet & 0xff);
			if (character < 0x80 && (Character.isLetterOrDigit(character) || NAME_CHARACTERS.indexOf(character) >= 0)) {
				text.append(character);
			}
			else {
				text.append("%%%02X".formatted((int) character));
			}
		}
		return text.toString();
	}

	/**
	 * Header of a request.
	 *
	 * @param name the name
	 * @param value the value
	 */
	private record Header(String name, String value) {

	}

}
