package dev.kubeinformer.spring.autoconfigure;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.persister.FilePersister;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * A kubeconfig file with the context that is used of it.
 */
final class Kubeconfig {

	private final Path file;

	private final String origin;

	private final KubeConfig config;

	private Kubeconfig(Path file, String origin, KubeConfig config) {
		this.file = file;
		this.origin = origin;
		this.config = config;
	}

	/**
	 * Reads a file.
	 * @param file the file
	 * @param origin what named it, for messages
	 * @param context the context; {@code null} or blank for the current one
	 * @return the kubeconfig
	 * @throws InvalidKubeconfigException if it cannot be used
	 */
	static Kubeconfig read(Path file, String origin, @Nullable String context) {
		KubeConfig config = load(file, origin);
		config.setFile(file.toAbsolutePath().toFile());
		String wanted = StringUtils.hasText(context) ? context : config.getCurrentContext();
		if (!StringUtils.hasText(wanted)) {
			throw new InvalidKubeconfigException(file, origin,
					"has no current context; 'kubernetes.client.context' may name one of " + contexts(config));
		}
		if (!config.setContext(wanted)) {
			throw new InvalidKubeconfigException(file, origin,
					"has no context '%s', only %s".formatted(wanted, contexts(config)));
		}
		if (!StringUtils.hasText(config.getServer())) {
			throw new InvalidKubeconfigException(file, origin,
					"names no server for the context '%s'".formatted(wanted));
		}
		return new Kubeconfig(file, origin, config);
	}

	private static KubeConfig load(Path file, String origin) {
		try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
			return KubeConfig.loadKubeConfig(reader);
		}
		catch (NoSuchFileException ex) {
			throw new InvalidKubeconfigException(file, origin, "does not exist");
		}
		catch (AccessDeniedException ex) {
			throw new InvalidKubeconfigException(file, origin, "may not be read by this process");
		}
		catch (IOException | RuntimeException ex) {
			// the parser's messages quote the file
			throw new InvalidKubeconfigException(file, origin,
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

	ClientBuilder clientBuilder() {
		// tokens that an auth provider renews are written back, as kubectl does
		this.config.setPersistConfig(new FilePersister(this.file.toFile()));
		try {
			return ClientBuilder.kubeconfig(this.config);
		}
		catch (IOException ex) {
			throw new InvalidKubeconfigException(this.file, this.origin,
					"names a file that cannot be read: " + ex.getMessage());
		}
	}

	String namespace() {
		return StringUtils.hasText(this.config.getNamespace()) ? this.config.getNamespace() : "default";
	}

}
