package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.persister.FilePersister;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.credentials.Authentication;
import io.kubernetes.client.util.credentials.KubeconfigAuthentication;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * A kubeconfig file with the context that is used of it.
 */
final class Kubeconfig implements Cluster {

	/**
	 * What the client takes where it finds no credential; the class is not public.
	 */
	private static final String NO_CREDENTIAL = "DummyAuthentication";

	/** What may ask a server, or a person, for credentials. */
	private static final Set<String> PLUGINS = Set.of("exec", "auth-provider");

	private static final Set<String> RENEWABLE = Set.of("exec", "auth-provider", "tokenFile");

	/**
	 * How long a token is used before it is fetched again; one that the API server turns
	 * away is fetched again at once.
	 */
	private static final Duration TOKEN_PERIOD = Duration.ofMinutes(5);

	private static final Duration CREDENTIALS_PATIENCE = Duration.ofSeconds(60);

	private final Path file;

	private final KubeconfigPlace place;

	private final KubeConfig config;

	private Kubeconfig(Path file, KubeconfigPlace place, KubeConfig config) {
		this.file = file;
		this.place = place;
		this.config = config;
	}

	/**
	 * Reads a file.
	 * @param file the file
	 * @param place what named it, for messages
	 * @param context the context; {@code null} or blank for the current one
	 * @return the kubeconfig
	 * @throws InvalidKubeconfigException if it cannot be used
	 */
	static Kubeconfig read(Path file, KubeconfigPlace place, @Nullable String context) {
		KubeConfig config = load(file, place);
		try {
			config.setFile(file.toAbsolutePath().toFile());
			select(config, file, place, context);
			return new Kubeconfig(file, place, config);
		}
		catch (ClassCastException ex) {
			// The client expects lists and maps without looking.
			throw new InvalidKubeconfigException(file, place,
					"has not the structure of a kubeconfig (%s)".formatted(ex.getClass().getSimpleName()));
		}
	}

	private static void select(KubeConfig config, Path file, KubeconfigPlace place, @Nullable String context) {
		String wanted = StringUtils.hasText(context) ? context.strip() : config.getCurrentContext();
		if (!StringUtils.hasText(wanted)) {
			throw new InvalidKubeconfigException(file, place, "has no current context; '%s.context' may name one of %s"
				.formatted(place.prefix(), contexts(config)));
		}
		if (!config.setContext(wanted)) {
			throw new InvalidKubeconfigException(file, place,
					"has no context '%s', only %s".formatted(wanted, contexts(config)));
		}
		if (!StringUtils.hasText(config.getServer())) {
			throw new InvalidKubeconfigException(file, place, "names no server for the context '%s'".formatted(wanted));
		}
	}

	private static KubeConfig load(Path file, KubeconfigPlace place) {
		try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
			return KubeConfig.loadKubeConfig(reader);
		}
		catch (NoSuchFileException ex) {
			throw new InvalidKubeconfigException(file, place, "does not exist");
		}
		catch (AccessDeniedException ex) {
			throw new InvalidKubeconfigException(file, place, "may not be read by this process");
		}
		catch (IOException | RuntimeException ex) {
			// The parser's messages quote the file.
			throw new InvalidKubeconfigException(file, place,
					"is no kubeconfig in YAML (%s)".formatted(ex.getClass().getSimpleName()));
		}
	}

	private static List<String> contexts(KubeConfig config) {
		List<String> names = new ArrayList<>();
		if (config.getContexts() != null) {
			for (Object context : config.getContexts()) {
				if (context instanceof Map<?, ?> map) {
					names.add("'%s'".formatted(map.get("name")));
				}
			}
		}
		return names;
	}

	@Override
	public String origin() {
		return "kubeconfig '%s', context '%s'".formatted(this.file, this.config.getCurrentContext());
	}

	@Override
	public boolean isSlow() {
		return !Collections.disjoint(user().keySet(), PLUGINS);
	}

	@Override
	public ApiClient client(@Nullable Authentication authentication) {
		try {
			ClientBuilder builder = (authentication != null)
					? ClientBuilder.kubeconfig(withoutUsers()).setAuthentication(authentication) : withUser();
			if (!ServerUrl.isValid(builder.getBasePath())) {
				throw invalid("names a server for the context '%s' that is no URL"
					.formatted(this.config.getCurrentContext()));
			}
			return builder.setApiClient(new ManagedApiClient()).build();
		}
		catch (InvalidKubeconfigException ex) {
			throw ex;
		}
		catch (IOException | RuntimeException ex) {
			// No message and no cause: they quote files and what plugins print, tokens
			// too.
			throw invalid(("names a file that cannot be read, or holds a certificate, key or credential that "
					+ "cannot be used (%s)")
				.formatted(ex.getClass().getSimpleName()));
		}
	}

	private ClientBuilder withUser() throws IOException {
		Map<?, ?> user = user();
		if (Collections.disjoint(user.keySet(), RENEWABLE)) {
			return ClientBuilder.kubeconfig(this.config);
		}
		ClientBuilder builder;
		try {
			builder = withRenewableToken();
		}
		catch (CredentialedKubeConfig.CredentialsTimeoutException ex) {
			throw invalid("has a user%s whose credentials did not come within %d s".formatted(plugin(user),
					CREDENTIALS_PATIENCE.toSeconds()));
		}
		if (user.containsKey("exec") && builder.getAuthentication() instanceof KubeconfigAuthentication authentication
				&& NO_CREDENTIAL.equals(authentication.getDelegateAuthentication().getClass().getSimpleName())) {
			throw invalid("has a user%s, which gave no credential; the log says more above".formatted(plugin(user)));
		}
		return builder;
	}

	private ClientBuilder withRenewableToken() throws IOException {
		CredentialedKubeConfig credentialed = new CredentialedKubeConfig(this.config, CREDENTIALS_PATIENCE);
		credentialed.setFile(this.file.toAbsolutePath().toFile());
		// Tokens that an auth provider renews are written back, as kubectl does.
		credentialed.setPersistConfig(new FilePersister(this.file.toFile()));
		credentialed.keep(true);
		ClientBuilder builder = ClientBuilder.kubeconfig(credentialed, TOKEN_PERIOD);
		credentialed.keep(false);
		if (builder.getAuthentication() instanceof KubeconfigAuthentication authentication
				&& authentication.getDelegateAuthentication() instanceof RefreshAuthentication token) {
			// It holds a token already, and would fetch another one with each first
			// request.
			token.setExpiry(Instant.now().plus(TOKEN_PERIOD));
		}
		return builder;
	}

	private static String plugin(Map<?, ?> user) {
		return (user.get("exec") instanceof Map<?, ?> exec)
				? " with the credential plugin '%s' (exec)".formatted(exec.get("command")) : "";
	}

	private KubeConfig withoutUsers() {
		// Another authentication is given: no plugin is run for nothing.
		KubeConfig anonymous = new KubeConfig(this.config.getContexts(), this.config.getClusters(), new ArrayList<>());
		anonymous.setFile(this.file.toAbsolutePath().toFile());
		anonymous.setContext(this.config.getCurrentContext());
		return anonymous;
	}

	private Map<?, ?> user() {
		Object name = entry(this.config.getContexts(), this.config.getCurrentContext(), "context").get("user");
		return entry(this.config.getUsers(), name, "user");
	}

	private static Map<?, ?> entry(@Nullable List<Object> entries, @Nullable Object name, String content) {
		for (Object entry : (entries != null) ? entries : List.of()) {
			if (entry instanceof Map<?, ?> map && Objects.equals(map.get("name"), name)
					&& map.get(content) instanceof Map<?, ?> found) {
				return found;
			}
		}
		return Map.of();
	}

	private InvalidKubeconfigException invalid(String problem) {
		return new InvalidKubeconfigException(this.file, this.place, problem);
	}

	@Override
	public String namespace() {
		return StringUtils.hasText(this.config.getNamespace()) ? this.config.getNamespace() : "default";
	}

}
