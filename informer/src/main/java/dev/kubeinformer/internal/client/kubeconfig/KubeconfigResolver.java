package dev.kubeinformer.internal.client.kubeconfig;

import java.io.File;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.ClusterEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.ContextEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.ExecEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.UserEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.Variable;

/**
 * Finds the cluster and the user of a context, and checks them, as client-go does
 * ({@code tools/clientcmd/client_config.go}).
 */
final class KubeconfigResolver {

	/** Name of the extension of a cluster that is passed to credential plugins. */
	private static final String PLUGIN_CONFIG = "client.authentication.k8s.io/exec";

	/** Schemes of proxies ({@code tools/clientcmd/helpers.go}). */
	private static final Pattern PROXY = Pattern.compile("(https?|socks5)://.*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private final KubeconfigContent content;

	private final Place place;

	private final boolean credentialsElsewhere;

	/**
	 * Creates a resolver.
	 * @param content the content of the kubeconfig
	 * @param place the kubeconfig, for messages
	 * @param credentialsElsewhere {@code true} if the user needs no credentials, because
	 * the application sets them elsewhere
	 */
	KubeconfigResolver(KubeconfigContent content, Place place, boolean credentialsElsewhere) {
		this.content = content;
		this.place = place;
		this.credentialsElsewhere = credentialsElsewhere;
	}

	/**
	 * Resolves a context.
	 * @param name the name of the context; {@code null} or blank for the current one
	 * @param contextOption the setting that selects a context; {@code null} if there is
	 * none
	 * @param source the name of the kubeconfig, for the log
	 * @return the access
	 */
	ClusterAccess resolve(@Nullable String name, @Nullable String contextOption, String source) {
		if (this.content.isEmpty()) {
			throw this.place.invalid(null, "is empty: it has no clusters, users and contexts",
					"Name a kubeconfig with a cluster.");
		}
		String named = (name != null) ? name.strip() : "";
		boolean current = named.isEmpty();
		String wanted = current ? this.content.currentContext() : named;
		ContextEntry context = context(wanted, current, contextOption);
		ClusterEntry cluster = cluster(context);
		UserEntry user = user(context);
		ServerAddress address = address(cluster);
		checkCluster(cluster);
		if (user != null) {
			UserRules.check(user);
		}
		if (address.isEncrypted() && !this.credentialsElsewhere) {
			checkCredentials(context, user);
		}
		ClusterAccess.Server server = server(cluster, address);
		ClusterAccess.User access = (user != null) ? access(user, address, cluster) : ClusterAccess.User.anonymous();
		String origin = wanted.isEmpty() ? source : "%s, context %s".formatted(source, Place.quoted(wanted));
		if (user != null && user.hasCredentials() && !address.isEncrypted()) {
			origin += ", without its credentials because the URL is not HTTPS";
		}
		return new ClusterAccess(this.place.text(), origin, server, withUser(access, address),
				KubeconfigDecoder.absentIfEmpty(context.namespace()));
	}

	private ContextEntry context(String name, boolean current, @Nullable String contextOption) {
		ContextEntry context = this.content.contexts().get(name);
		if (context != null) {
			return context;
		}
		String names = Place.quoted(this.content.contexts().keySet());
		String option = (contextOption != null) ? "set " + contextOption : "set 'current-context'";
		if (!name.isEmpty()) {
			throw this.place.invalid(current ? "current-context" : null,
					(current ? "names the context %s, which does not exist; there are: %s"
							: "has no context %s; there are: %s")
						.formatted(Place.quoted(name), names),
					"Correct the name, or %s.".formatted(option));
		}
		if (this.content.clusters().containsKey("")) {
			// Without a context, the cluster and the user with an empty name are used.
			return new ContextEntry(this.place, "", "", "");
		}
		throw this.place.invalid(null, "has no current context; there are: " + names,
				(this.content.contexts().isEmpty()) ? "Add a context." : Character.toUpperCase(option.charAt(0))
						+ option.substring(1) + " to one of them, or run 'kubectl config use-context'.");
	}

	private ClusterEntry cluster(ContextEntry context) {
		ClusterEntry cluster = this.content.clusters().get(context.cluster());
		if (cluster == null) {
			throw context.place()
				.invalid("cluster", context.cluster().isEmpty() ? "is missing"
						: "names the cluster %s, which does not exist; there are: %s"
							.formatted(Place.quoted(context.cluster()), Place.quoted(this.content.clusters().keySet())),
						"Name a cluster of the kubeconfig.");
		}
		return cluster;
	}

	private @Nullable UserEntry user(ContextEntry context) {
		UserEntry user = this.content.users().get(context.user());
		// client-go continues without credentials.
		if (user == null && !context.user().isEmpty()) {
			throw context.place()
				.invalid(
						"user", "names the user %s, which does not exist; there are: %s"
							.formatted(Place.quoted(context.user()), Place.quoted(this.content.users().keySet())),
						"Name a user of the kubeconfig.");
		}
		return user;
	}

	private static void checkCredentials(ContextEntry context, @Nullable UserEntry user) {
		// kubectl then prompts for a name and a password, and fails without a terminal.
		if (user == null) {
			throw context.place()
				.invalid("user", "is missing, so there are no credentials", "Name a user of the kubeconfig.");
		}
		if (!user.hasCredentials()) {
			throw user.place()
				.invalid(null, "has no credentials",
						"Add 'token', 'tokenFile', 'client-certificate' with 'client-key', 'exec' or 'auth-provider'.");
		}
	}

	private static ServerAddress address(ClusterEntry cluster) {
		if (cluster.server().isBlank()) {
			throw cluster.place().invalid("server", "is missing", "Add the URL of the API server.");
		}
		try {
			return ServerAddress.parse(cluster.server());
		}
		catch (IllegalArgumentException ex) {
			throw cluster.place()
				.invalid("server", String.valueOf(ex.getMessage()), "Write it like 'https://host:6443'.");
		}
	}

	private static void checkCluster(ClusterEntry cluster) {
		Place place = cluster.place();
		String field = "certificate-authority";
		UserRules.checkOne(place, field, cluster.authority(), cluster.authorityData());
		if (!cluster.proxy().isEmpty() && !PROXY.matcher(cluster.proxy()).matches()) {
			throw place.invalid("proxy-url", "must be a URL that begins with http://, https:// or socks5://",
					"Correct the URL, or remove the field to connect without a proxy.");
		}
		if (!cluster.authority().isEmpty()) {
			NamedFile.check(place, field, NamedFile.resolve(place, cluster.folder(), field, cluster.authority()));
		}
	}

	private static ClusterAccess.Server server(ClusterEntry cluster, ServerAddress address) {
		String proxy = KubeconfigDecoder.absentIfEmpty(cluster.proxy());
		if (!address.isEncrypted()) {
			return new ClusterAccess.Server(address.url(), null, false, null, proxy);
		}
		Content authority = content(cluster.place(), cluster.folder(), "certificate-authority", cluster.authority(),
				cluster.authorityData());
		if (authority != null && cluster.insecure()) {
			throw cluster.place()
				.invalid("insecure-skip-tls-verify",
						"is true together with '%s', which would not be used".formatted(authority.field()),
						"Remove one of them.");
		}
		return new ClusterAccess.Server(address.url(), KubeconfigDecoder.absentIfEmpty(cluster.tlsServerName()),
				cluster.insecure(), authority, proxy);
	}

	private static @Nullable Content content(Place place, @Nullable Path folder, String field, String file,
			String data) {
		if (!data.isEmpty()) {
			return new Content.Inline(place.text(), field + "-data", data);
		}
		return file.isEmpty() ? null
				: new Content.InFile(place.text(), field, NamedFile.resolve(place, folder, field, file));
	}

	private static ClusterAccess.User access(UserEntry user, ServerAddress address, ClusterEntry cluster) {
		if (!address.isEncrypted()) {
			// client-go does not send credentials over unencrypted connections.
			return new ClusterAccess.User(null, null, null, null, null, null, null, user.impersonation());
		}
		UserRules.checkCredentials(user);
		Place place = user.place();
		boolean certified = user.hasCertificate();
		return new ClusterAccess.User(KubeconfigDecoder.absentIfEmpty(user.token()),
				user.tokenFile().isEmpty() ? null
						: NamedFile.resolve(place, user.folder(), "tokenFile", user.tokenFile()),
				certified ? content(place, user.folder(), "client-certificate", user.certificate(),
						user.certificateData()) : null,
				certified ? content(place, user.folder(), "client-key", user.key(), user.keyData()) : null,
				user.username().isEmpty() ? null : new ClusterAccess.Basic(user.username(), user.password()),
				(user.exec() != null) ? plugin(user, user.exec(), cluster) : null, user.provider(),
				user.impersonation());
	}

	private static ClusterAccess.Plugin plugin(UserEntry user, ExecEntry exec, ClusterEntry cluster) {
		Map<String, String> environment = new LinkedHashMap<>();
		for (Variable variable : exec.environment()) {
			// Go joins name and value, so a name that contains '=' ends there.
			String[] parts = (variable.name() + "=" + variable.value()).split("=", 2);
			environment.put(parts[0], parts[1]);
		}
		return new ClusterAccess.Plugin(exec.apiVersion(), command(user, exec.command()), exec.arguments(), environment,
				exec.providesClusterInfo(), exec.interactiveMode(),
				KubeconfigDecoder.absentIfEmpty(printable(exec.installHint())),
				cluster.extensions().get(PLUGIN_CONFIG));
	}

	// A command without a directory is searched on the PATH.
	private static String command(UserEntry user, String command) {
		boolean path = command.indexOf('/') >= 0 || command.indexOf(File.separatorChar) >= 0;
		return path ? NamedFile.resolve(user.place(), user.folder(), "exec.command", command).toString() : command;
	}

	// Same as client-go: escape sequences must not reach a terminal.
	private static String printable(String text) {
		StringBuilder printable = new StringBuilder();
		text.codePoints().forEach((character) -> {
			int type = Character.getType(character);
			boolean space = character >= '\t' && character <= '\r';
			if (!space && (type == Character.CONTROL || type == Character.FORMAT || type == Character.PRIVATE_USE
					|| type == Character.SURROGATE || type == Character.UNASSIGNED)) {
				printable.append("U+%04X".formatted(character));
			}
			else {
				printable.appendCodePoint(character);
			}
		});
		return printable.toString();
	}

	// Go's HTTP client sets the header from the user in the URL first, and client-go does
	// not replace the header.
	private static ClusterAccess.User withUser(ClusterAccess.User user, ServerAddress address) {
		return (address.user() == null) ? user : new ClusterAccess.User(null, null, user.certificate(), user.key(),
				address.user(), null, null, user.impersonation());
	}

}
