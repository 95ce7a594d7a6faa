package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.persister.FilePersister;
import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * One file with a kubeconfig, or with a part of one.
 *
 * @param path the file
 * @param config what it holds
 */
record KubeconfigFile(Path path, KubeConfig config) {

	/**
	 * What client-go ({@code clientcmd/loader.go}) resolves against the file's folder.
	 */
	private static final List<String> PATHS = List.of("certificate-authority", "client-certificate", "client-key",
			"tokenFile");

	/**
	 * Reads a file.
	 * @param path the file
	 * @param place what named it, for messages
	 * @return the file with its content; {@code null} if it does not exist
	 * @throws InvalidKubeconfigException if it cannot be read
	 */
	static @Nullable KubeconfigFile read(Path path, KubeconfigPlace place) {
		try {
			String yaml = Files.readString(path, StandardCharsets.UTF_8);
			return new KubeconfigFile(path, yaml.isBlank() ? new KubeConfig(null, null, null)
					: KubeConfig.loadKubeConfig(new StringReader(yaml)));
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		catch (AccessDeniedException ex) {
			throw new InvalidKubeconfigException(path, place, "may not be read by this process");
		}
		catch (IOException | RuntimeException ex) {
			// The parser's messages quote the file.
			throw new InvalidKubeconfigException(path, place,
					"is no kubeconfig in YAML (%s)".formatted(ex.getClass().getSimpleName()));
		}
	}

	/**
	 * Merges files as client-go ({@code clientcmd/loader.go}): of clusters, users and
	 * contexts with the same name, of current contexts and of preferences, the first one
	 * counts, as a whole. Relative paths become those of the folder of their file.
	 * @param files the files
	 * @return what they hold together
	 */
	static KubeConfig merge(List<KubeconfigFile> files) {
		ArrayList<Object> contexts = new ArrayList<>();
		ArrayList<Object> clusters = new ArrayList<>();
		ArrayList<Object> users = new ArrayList<>();
		for (KubeconfigFile file : files) {
			add(file.config.getContexts(), contexts);
			add(file.resolved(file.config.getClusters(), "cluster"), clusters);
			add(file.resolved(file.config.getUsers(), "user"), users);
		}
		KubeConfig merged = new KubeConfig(contexts, clusters, users);
		for (KubeconfigFile file : files) {
			if (merged.getCurrentContext() == null && StringUtils.hasText(file.config.getCurrentContext())) {
				merged.setContext(file.config.getCurrentContext());
			}
			if (merged.getPreferences() == null) {
				merged.setPreferences(file.config.getPreferences());
			}
		}
		return merged;
	}

	private static void add(@Nullable List<Object> entries, List<Object> merged) {
		List<Object> earlier = List.copyOf(merged);
		for (Object entry : (entries != null) ? entries : List.of()) {
			if (earlier.stream().noneMatch((present) -> name(present).equals(name(entry)))) {
				merged.add(entry);
			}
		}
	}

	private static String name(Object entry) {
		// What is no entry is reported when it is used.
		return (entry instanceof Map<?, ?> map) ? String.valueOf(map.get("name")) : "";
	}

	private List<Object> resolved(@Nullable List<Object> entries, String content) {
		List<Object> resolved = new ArrayList<>();
		for (Object entry : (entries != null) ? entries : List.of()) {
			if (entry instanceof Map<?, ?> map && map.get(content) instanceof Map<?, ?> values) {
				// A copy: the rest is shared with the file, where an auth provider
				// changes it.
				Map<Object, Object> copy = new LinkedHashMap<>(map);
				copy.put(content, resolved(values));
				resolved.add(copy);
			}
			else {
				resolved.add(entry);
			}
		}
		return resolved;
	}

	private Map<Object, Object> resolved(Map<?, ?> values) {
		Map<Object, Object> resolved = new LinkedHashMap<>(values);
		PATHS.forEach((key) -> resolve(resolved, key));
		// One without a folder is looked for on the PATH.
		if (values.get("exec") instanceof Map<?, ?> exec && exec.get("command") instanceof String command
				&& (command.contains("/") || command.contains("\\"))) {
			Map<Object, Object> copy = new LinkedHashMap<>(exec);
			resolve(copy, "command");
			resolved.put("exec", copy);
		}
		return resolved;
	}

	private void resolve(Map<Object, Object> values, String key) {
		if (values.get(key) instanceof String value && !value.isEmpty()) {
			values.put(key, this.path.toAbsolutePath().resolveSibling(value).normalize().toString());
		}
	}

	/**
	 * Returns whether a user is one of this file.
	 * @param user the name of the user
	 * @return whether it is
	 */
	boolean hasUser(@Nullable Object user) {
		List<Object> users = this.config.getUsers();
		return users != null && users.stream().anyMatch((entry) -> name(entry).equals(user));
	}

	/**
	 * Writes the file anew, with tokens that an auth provider has renewed.
	 * @throws IOException if it cannot be written
	 */
	void save() throws IOException {
		new FilePersister(this.path.toFile()).save(this.config.getContexts(), this.config.getClusters(),
				this.config.getUsers(), this.config.getPreferences(), this.config.getCurrentContext());
	}

}
