package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.credentials.Authentication;
import io.kubernetes.client.util.credentials.KubeconfigAuthentication;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * A kubeconfig, of one file or of several, with the context that is used of it.
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

	/** Those that exist. */
	private final List<KubeconfigFile> files;

	private final KubeconfigPlace place;

	private final KubeConfig config;

	private Kubeconfig(List<KubeconfigFile> files, KubeconfigPlace place, KubeConfig config) {
		this.files = files;
		this.place = place;
		this.config = config;
	}

	/**
	 * Reads files, and merges them.
	 * @param paths the files; those that do not exist are left out, if one does
	 * @param place what named them, for messages
	 * @param context the context; {@code null} or blank for the current one
	 * @return the kubeconfig
	 * @throws InvalidKubeconfigException if it cannot be used
	 */
	static Kubeconfig read(List<Path> paths, KubeconfigPlace place, @Nullable String context) {
		List<KubeconfigFile> files = new ArrayList<>();
		for (Path path : paths) {
			KubeconfigFile file = KubeconfigFile.read(path, place);
			if (file != null) {
				files.add(file);
			}
		}
		if (files.isEmpty()) {
			throw new InvalidKubeconfigException(paths.get(0), place, "does not exist");
		}
		Kubeconfig kubeconfig;
		try {
			kubeconfig = new Kubeconfig(files, place, KubeconfigFile.merge(files));
			kubeconfig.select(context);
		}
		catch (ClassCastException ex) {
			// The client expects lists and maps without looking.
			throw new InvalidKubeconfigException(shown(files), place,
					"has not the structure of a kubeconfig (%s)".formatted(ex.getClass().getSimpleName()));
		}
		return kubeconfig;
	}

	private static String shown(List<KubeconfigFile> files) {
		return files.stream().map((file) -> file.path().toString()).collect(Collectors.joining(File.pathSeparator));
	}

	private void select(@Nullable String context) {
		String wanted = StringUtils.hasText(context) ? context.strip() : this.config.getCurrentContext();
		if (!StringUtils.hasText(wanted)) {
			throw invalid("has no current context; '%s.context' may name one of %s".formatted(this.place.prefix(),
					contexts(this.config)));
		}
		if (!this.config.setContext(wanted)) {
			throw invalid("has no context '%s', only %s".formatted(wanted, contexts(this.config)));
		}
		if (!StringUtils.hasText(this.config.getServer())) {
			throw invalid("names no server for the context '%s'".formatted(wanted));
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
		return "kubeconfig '%s', context '%s'".formatted(shown(this.files), this.config.getCurrentContext());
	}

	@Override
	public boolean isSlow() {
		return !Collections.disjoint(user().keySet(), PLUGINS);
	}

	@Override
	public ApiClient client(@Nullable Authentication authentication) {
		String serverName = text(cluster(), "tls-server-name");
		try {
			ClientBuilder builder = (authentication != null)
					? ClientBuilder.kubeconfig(withoutUsers()).setAuthentication(authentication) : withUser();
			if (!ServerUrl.isValid(builder.getBasePath())) {
				throw invalid("names a server for the context '%s' that is no URL"
					.formatted(this.config.getCurrentContext()));
			}
			byte[] authority = this.config.getDataOrFileRelative(this.config.getCertificateAuthorityData(),
					this.config.getCertificateAuthorityFile());
			return ManagedApiClient.of(builder, authority, serverName);
		}
		catch (InvalidKubeconfigException ex) {
			throw ex;
		}
		catch (UnsupportedOperationException ex) {
			if (serverName == null) {
				throw unusable(ex);
			}
			throw invalid(("has a 'tls-server-name' for the context '%s', which this version of client-java does not "
					+ "know; use client-java 27")
				.formatted(this.config.getCurrentContext()));
		}
		catch (IOException | RuntimeException ex) {
			throw unusable(ex);
		}
	}

	// No message and no cause: they quote files and what plugins print, tokens too.
	private InvalidKubeconfigException unusable(Exception failure) {
		return invalid(("names a file that cannot be read, or holds a certificate, key or credential that "
				+ "cannot be used (%s)")
			.formatted(failure.getClass().getSimpleName()));
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
		// Tokens that an auth provider renews are written back, as kubectl does.
		credentialed.setPersistConfig((contexts, clusters, users, preferences, current) -> save());
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

	private void save() throws IOException {
		Object user = entry(this.config.getContexts(), this.config.getCurrentContext(), "context").get("user");
		for (KubeconfigFile file : this.files) {
			if (file.hasUser(user)) {
				file.save();
				return;
			}
		}
	}

	private static String plugin(Map<?, ?> user) {
		return (user.get("exec") instanceof Map<?, ?> exec)
				? " with the credential plugin '%s' (exec)".formatted(exec.get("command")) : "";
	}

	private KubeConfig withoutUsers() {
		// Another authentication is given: no plugin is run for nothing.
		KubeConfig anonymous = new KubeConfig(this.config.getContexts(), this.config.getClusters(), new ArrayList<>());
		anonymous.setContext(this.config.getCurrentContext());
		return anonymous;
	}

	private Map<?, ?> user() {
		Object name = entry(this.config.getContexts(), this.config.getCurrentContext(), "context").get("user");
		return entry(this.config.getUsers(), name, "user");
	}

	private Map<?, ?> cluster() {
		Object name = entry(this.config.getContexts(), this.config.getCurrentContext(), "context").get("cluster");
		return entry(this.config.getClusters(), name, "cluster");
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
		return new InvalidKubeconfigException(shown(this.files), this.place, problem);
	}

	@Override
	public @Nullable ClientProxy proxy() {
		String proxy = text(cluster(), "proxy-url");
		try {
			return (proxy != null) ? ClientProxy.parse(proxy) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid("names a 'proxy-url' for the context '%s' that cannot be used; it %s"
				.formatted(this.config.getCurrentContext(), ex.getMessage()));
		}
	}

	@Override
	public Impersonation impersonation() {
		Map<?, ?> user = user();
		Map<String, List<String>> extra = new LinkedHashMap<>();
		if (user.get("as-user-extra") instanceof Map<?, ?> values) {
			values.keySet().forEach((name) -> extra.put(String.valueOf(name), texts(values, name)));
		}
		Impersonation impersonation = new Impersonation(text(user, "as"), texts(user, "as-groups"),
				text(user, "as-uid"), extra);
		if (impersonation.isOfNobody()) {
			throw invalid("has a user with 'as-groups', 'as-uid' or 'as-user-extra' and without 'as', whom they need");
		}
		if (!impersonation.fitsHeaders()) {
			throw invalid("has a user with an 'as' that an HTTP header cannot hold");
		}
		return impersonation;
	}

	private static @Nullable String text(Map<?, ?> values, String key) {
		Object value = values.get(key);
		return (value != null && StringUtils.hasText(value.toString())) ? value.toString().strip() : null;
	}

	private static List<String> texts(Map<?, ?> values, @Nullable Object key) {
		return (values.get(key) instanceof List<?> list) ? list.stream().map(String::valueOf).toList() : List.of();
	}

	@Override
	public String namespace() {
		return StringUtils.hasText(this.config.getNamespace()) ? this.config.getNamespace() : "default";
	}

}
