package dev.kubeinformer.internal.client.kubeconfig;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.ClusterEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.ContextEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.ExecEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.UserEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.Variable;

/**
 * Decodes the tree of a kubeconfig as client-go's codec does
 * ({@code tools/clientcmd/api}). All entries are decoded, even unused ones, so an error
 * in an unused entry is reported, too.
 */
final class KubeconfigDecoder {

	private static final String OLD_EXEC = "client.authentication.k8s.io/v1";

	private final Place place;

	private final @Nullable Path file;

	private final @Nullable Path folder;

	private KubeconfigDecoder(Place place, @Nullable Path file) {
		this.place = place;
		this.file = file;
		this.folder = (file != null) ? file.getParent() : null;
	}

	/**
	 * Decodes a kubeconfig.
	 * @param tree the tree; {@code null} if the file is empty
	 * @param place the kubeconfig, for messages
	 * @param file the absolute path of its file, against whose directory relative paths
	 * are resolved; {@code null} to keep them relative
	 * @return the content
	 */
	static KubeconfigContent decode(@Nullable Object tree, Place place, @Nullable Path file) {
		return new KubeconfigDecoder(place, file).content(tree);
	}

	private KubeconfigContent content(@Nullable Object tree) {
		if (tree == null) {
			return new KubeconfigContent("", Map.of(), Map.of(), Map.of());
		}
		if (!(tree instanceof Map<?, ?> values)) {
			throw this.place.invalid(null, "is YAML, but not a kubeconfig: it must be a map of fields",
					"Name a kubeconfig, not another file.");
		}
		Fields fields = new Fields(values, this.place, "");
		checkKind(fields);
		Fields preferences = fields.object("preferences");
		if (preferences != null) {
			preferences.flag("colors");
			preferences.extensions();
		}
		fields.extensions();
		return new KubeconfigContent(fields.text("current-context"),
				entries(fields, "contexts", "context", this::context),
				entries(fields, "clusters", "cluster", this::cluster), entries(fields, "users", "user", this::user));
	}

	// These two field names are not case-sensitive. The exact name is read last and takes
	// precedence.
	private void checkKind(Fields fields) {
		String kind = "";
		String version = "";
		Map<Object, Object> sorted = new TreeMap<>(fields.values());
		for (Object key : sorted.keySet()) {
			String field = (String) key;
			if ("kind".equalsIgnoreCase(field)) {
				kind = fields.text(field);
			}
			else if ("apiVersion".equalsIgnoreCase(field)) {
				version = fields.text(field);
			}
		}
		if (!kind.isEmpty() && !"Config".equals(kind)) {
			throw this.place.invalid("kind", "must be 'Config', but is " + Place.quoted(kind),
					"Name a kubeconfig, not the manifest of another object.");
		}
		// An empty group equals no group.
		if (!List.of("", "/", "v1", "/v1").contains(version)) {
			throw this.place.invalid("apiVersion", "must be 'v1', but is " + Place.quoted(version),
					"Name a kubeconfig of the version 'v1'.");
		}
	}

	private static <T> Map<String, T> entries(Fields fields, String list, String kind,
			BiFunction<String, Fields, T> decode) {
		Map<String, T> entries = new LinkedHashMap<>();
		for (Fields entry : fields.objects(list)) {
			String name = entry.text("name");
			if (entries.put(name, decode.apply(name, entry.content(kind, name))) != null) {
				throw fields.duplicate(list, name);
			}
		}
		return entries;
	}

	private ContextEntry context(String name, Fields fields) {
		fields.extensions();
		return new ContextEntry(fields.place(), fields.text("cluster"), fields.textUnlessBlank("user"),
				fields.textUnlessBlank("namespace"));
	}

	private ClusterEntry cluster(String name, Fields fields) {
		fields.flag("disable-compression");
		return new ClusterEntry(fields.place(), this.folder, fields.text("server"),
				fields.textUnlessBlank("tls-server-name"), fields.flag("insecure-skip-tls-verify"),
				fields.textUnlessBlank("certificate-authority"), fields.data("certificate-authority-data"),
				fields.textUnlessBlank("proxy-url"), fields.extensions());
	}

	private UserEntry user(String name, Fields fields) {
		fields.extensions();
		ClusterAccess.Impersonation impersonation = new ClusterAccess.Impersonation(
				absentIfEmpty(fields.textUnlessBlank("as")), fields.texts("as-groups"),
				absentIfEmpty(fields.textUnlessBlank("as-uid")), fields.textLists("as-user-extra"));
		return new UserEntry(fields.place(), this.folder, fields.textUnlessBlank("client-certificate"),
				fields.data("client-certificate-data"), fields.textUnlessBlank("client-key"),
				fields.data("client-key-data"), fields.textUnlessBlank("token"), fields.text("tokenFile"),
				fields.text("username"), fields.text("password"), exec(fields.object("exec")),
				provider(name, fields.object("auth-provider")), impersonation);
	}

	static @Nullable String absentIfEmpty(String text) {
		return text.isEmpty() ? null : text;
	}

	private static @Nullable ExecEntry exec(@Nullable Fields fields) {
		if (fields == null) {
			return null;
		}
		List<Variable> environment = fields.objects("env")
			.stream()
			.map((variable) -> new Variable(variable.text("name"), variable.text("value")))
			.toList();
		String version = fields.text("apiVersion");
		String mode = fields.text("interactiveMode");
		if (mode.isEmpty() && List.of(OLD_EXEC + "alpha1", OLD_EXEC + "beta1").contains(version)) {
			mode = "IfAvailable";
		}
		return new ExecEntry(version, fields.text("command"), fields.texts("args"), environment,
				fields.flag("provideClusterInfo"), mode, fields.text("installHint"));
	}

	private ClusterAccess.@Nullable Provider provider(String user, @Nullable Fields fields) {
		if (fields == null) {
			return null;
		}
		String name = fields.text("name");
		Map<String, String> config = fields.textMap("config");
		return new ClusterAccess.Provider(name, config,
				(this.file != null) ? ProviderFile.of(this.file, user, name, config) : null);
	}

}
