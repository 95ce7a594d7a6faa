package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.tls.Pem;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Auth provider {@code oidc} ({@code plugin/pkg/client/auth/oidc/oidc.go}): uses the ID
 * token of the configuration while this token is valid, and then obtains the next ID
 * token with the refresh token. It writes new tokens to the kubeconfig. Unlike kubectl,
 * it reads the kubeconfig again before it uses a refresh token, because another process
 * may already have used the token and written a new one.
 */
final class OidcProvider implements Fetcher {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	private static final String FIELD = "auth-provider";

	/** Remaining lifetime of an ID token at which it is replaced, if possible. */
	private static final Duration MARGIN = Duration.ofMinutes(1);

	private final String place;

	private final Map<String, String> config;

	private final ClientTime time;

	private final IssuerHttp http;

	private final ProviderTokens tokens;

	private boolean warnedOfReadable;

	private OidcProvider(String place, ClusterAccess.Provider provider, ClientTime time, IssuerHttp http) {
		this.place = place;
		this.config = provider.config();
		this.time = time;
		this.http = http;
		this.tokens = new ProviderTokens(provider);
	}

	/**
	 * Creates a provider without sending a request.
	 * @param access the cluster
	 * @param provider the auth provider of the user
	 * @param time the clocks
	 * @return the provider
	 * @throws ClientConfigurationException if the provider is not usable
	 */
	static OidcProvider of(ClusterAccess access, ClusterAccess.Provider provider, ClientTime time) {
		String place = access.place();
		if (!provider.name().equals("oidc")) {
			throw new ClientConfigurationException(place, FIELD,
					"names the auth provider '%s', which is not supported".formatted(PrintableText.of(provider.name())),
					"Use the credential plugin of your provider ('exec').");
		}
		for (String required : List.of("idp-issuer-url", "client-id")) {
			if (provider.config().getOrDefault(required, "").isBlank()) {
				throw new ClientConfigurationException(place, FIELD + ".config." + required, "is missing",
						"Add it, or log in anew.");
			}
		}
		return new OidcProvider(place, provider, time,
				new IssuerHttp(authorities(place, provider.config(), new FileReader(time))));
	}

	private static @Nullable List<X509Certificate> authorities(String place, Map<String, String> config,
			FileReader reader) {
		String field = FIELD + ".config.idp-certificate-authority";
		String data = config.getOrDefault("idp-certificate-authority-data", "");
		String file = config.getOrDefault("idp-certificate-authority", "");
		try {
			if (!data.isBlank()) {
				byte[] pem = Base64.getMimeDecoder().decode(data);
				return Pem.authorities(place, field + "-data", new String(pem, StandardCharsets.UTF_8));
			}
			if (!file.isBlank()) {
				byte[] pem = reader.read(Path.of(file), place, field);
				return Pem.authorities(new Content.InFile(place, field, Path.of(file)),
						new String(pem, StandardCharsets.UTF_8));
			}
			return null;
		}
		catch (InvalidPathException ex) {
			throw new ClientConfigurationException(place, field, "is not a path", "Correct the path.");
		}
		catch (IllegalArgumentException ex) {
			throw new ClientConfigurationException(place, field + "-data", "is not base64",
					"Encode the file with 'base64 -w0'.");
		}
	}

	@Override
	public String name() {
		return "the identity provider '%s'".formatted(PrintableText.of(issuer()));
	}

	private String issuer() {
		return this.config.getOrDefault("idp-issuer-url", "");
	}

	@Override
	public Credential fetch() throws IOException {
		Instant now = this.time.clock().instant();
		if (isUsable(now)) {
			return credential(now);
		}
		this.tokens.adopt();
		if (isUsable(now)) {
			return credential(now);
		}
		if (this.tokens.refresh().isEmpty()) {
			throw failed(FIELD + ".config", "has no valid 'id-token', and no 'refresh-token' to obtain one",
					"Log in again, for example with 'kubectl oidc-login'.");
		}
		try {
			refresh();
		}
		catch (IssuerHttp.UnreachableException ex) {
			throw failed(FIELD, "names %s, which cannot be reached (%s)".formatted(name(), ex.getMessage()), null);
		}
		return credential(now);
	}

	private boolean isUsable(Instant now) throws IOException {
		String token = this.tokens.id();
		if (token.isEmpty()) {
			return false;
		}
		Instant expires = BearerTokens.expires(token);
		if (expires == null) {
			throw failed(FIELD + ".config.id-token", "is not a JWT with the claim 'exp'", "Log in again.");
		}
		return now.plus(this.tokens.refresh().isEmpty() ? Duration.ZERO : MARGIN).isBefore(expires);
	}

	private Credential credential(Instant now) throws IOException {
		String problem = BearerTokens.problem(this.tokens.id());
		if (problem != null) {
			throw failed(FIELD, "received an ID token that " + problem, "Log in again.");
		}
		return new Credential(BearerTokens.header(this.tokens.id()), null,
				"auth provider 'oidc' (%s)".formatted(PrintableText.of(issuer())), now,
				BearerTokens.expires(this.tokens.id()));
	}

	private void refresh() throws IOException {
		String issuer = issuer().replaceAll("/$", "");
		IssuerHttp.Answer metadata = this.http.get(issuer + "/.well-known/openid-configuration");
		String endpoint = metadata.text("token_endpoint");
		if (!metadata.isOk() || endpoint.isEmpty()) {
			throw failed(FIELD,
					"names %s, whose metadata has no 'token_endpoint' (HTTP %d)".formatted(name(), metadata.status()),
					"Correct 'idp-issuer-url'.");
		}
		if (IssuerHttp.isReadable(endpoint) && !this.warnedOfReadable) {
			this.warnedOfReadable = true;
			logger.warn(
					"{} has a token endpoint without TLS, so others can read the refresh token and the "
							+ "client's secret; configure the provider to publish an https:// URL in its metadata",
					name());
		}
		IssuerHttp.Answer answer = token(endpoint);
		if (!answer.isOk()) {
			throw failed(FIELD, "names %s, which did not refresh the token (HTTP %d%s)".formatted(name(),
					answer.status(), answer.errorCode()), "Log in again if the refresh token expired.");
		}
		String next = answer.text("id_token");
		if (next.isEmpty()) {
			throw failed(FIELD, "names %s, whose response has no 'id_token'".formatted(name()),
					"Ask for the scope 'openid' when you log in.");
		}
		this.tokens.renewed(name(), next, answer.text("refresh_token"));
	}

	// Same as golang.org/x/oauth2: some providers accept the client in the header, others
	// in the form.
	private IssuerHttp.Answer token(String endpoint) throws IOException {
		String id = this.config.getOrDefault("client-id", "");
		String secret = this.config.getOrDefault("client-secret", "");
		Map<String, String> form = new LinkedHashMap<>();
		form.put("grant_type", "refresh_token");
		form.put("refresh_token", this.tokens.refresh());
		String client = encoded(id) + ":" + encoded(secret);
		IssuerHttp.Answer answer = this.http.post(endpoint, form(form),
				"Basic " + Base64.getEncoder().encodeToString(client.getBytes(StandardCharsets.UTF_8)));
		if (answer.isOk()) {
			return answer;
		}
		form.put("client_id", id);
		if (!secret.isEmpty()) {
			form.put("client_secret", secret);
		}
		return this.http.post(endpoint, form(form), null);
	}

	private static String form(Map<String, String> fields) {
		return fields.entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + encoded(field.getValue()))
			.collect(Collectors.joining("&"));
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private IOException failed(String field, String problem, @Nullable String action) {
		ClientConfigurationException failure = new ClientConfigurationException(this.place, field, problem, action);
		return new IOException(failure.getMessage() + ((action != null) ? ". " + action : ""), failure);
	}

	@Override
	public void close() {
		this.http.close();
	}

}
