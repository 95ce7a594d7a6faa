package dev.kubeinformer.internal.client.kubeconfig;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Reads and writes the configuration of an auth provider in a kubeconfig, as
 * {@code tools/clientcmd/config.go} does. {@link #toString()} does not show values.
 *
 * @param file the absolute path of the kubeconfig with the user
 * @param user the name of the user
 * @param provider the name of the auth provider
 * @param issuer the issuer of the tokens
 * @param client the id of the client
 */
record ProviderFile(Path file, String user, String provider, String issuer,
		String client) implements ClusterAccess.ProviderStore {

	private static final String ISSUER = "idp-issuer-url";

	private static final String CLIENT = "client-id";

	/** Maximum length of a path in a message. */
	private static final int LENGTH = 1000;

	static ProviderFile of(Path file, String user, String provider, Map<String, String> config) {
		return new ProviderFile(file, user, provider, config.getOrDefault(ISSUER, ""), config.getOrDefault(CLIENT, ""));
	}

	@Override
	public Map<String, String> read() throws IOException {
		return explained(() -> config(edit(content())));
	}

	@Override
	public void write(Map<String, String> values) throws IOException {
		explained(() -> {
			KubeconfigLock lock = KubeconfigLock.of(this.file);
			try {
				KubeconfigEdit edit = edit(content());
				config(edit);
				byte[] changed = edit.with(values);
				if (changed != null) {
					FileReplacement.replace(this.file.toRealPath(), changed);
				}
				return true;
			}
			finally {
				lock.close();
			}
		});
	}

	private KubeconfigEdit edit(byte[] content) throws IOException {
		return KubeconfigEdit.of(content, this.user);
	}

	private Map<String, String> config(KubeconfigEdit edit) throws IOException {
		Map<String, String> config = edit.config();
		// Tokens of one provider are not valid for another one.
		if (!edit.provider().equals(this.provider) || !config.getOrDefault(ISSUER, "").equals(this.issuer)
				|| !config.getOrDefault(CLIENT, "").equals(this.client)) {
			throw new IOException("its user %s now has another auth provider".formatted(Place.quoted(this.user)));
		}
		return config;
	}

	private byte[] content() throws IOException {
		try (InputStream input = Files.newInputStream(this.file)) {
			byte[] content = input.readNBytes(YamlTree.LARGEST + 1);
			if (content.length > YamlTree.LARGEST) {
				throw new IOException("it is too large");
			}
			return content;
		}
	}

	private static <T> T explained(Action<T> action) throws IOException {
		try {
			return action.run();
		}
		catch (InterruptedIOException ex) {
			throw ex;
		}
		catch (NoSuchFileException ex) {
			throw new IOException("'%s' does not exist".formatted(shown(ex)), ex);
		}
		catch (AccessDeniedException ex) {
			throw new IOException("this process may not write '%s'".formatted(shown(ex)), ex);
		}
		catch (FileSystemException ex) {
			String reason = ex.getReason();
			throw new IOException(
					"'%s': %s".formatted(shown(ex), (reason != null) ? reason : ex.getClass().getSimpleName()), ex);
		}
		catch (ClientConfigurationException ex) {
			throw new IOException("it is no longer valid", ex);
		}
		catch (UnsupportedOperationException ex) {
			throw new IOException("its file system is read-only", ex);
		}
	}

	private static String shown(FileSystemException failure) {
		return PrintableText.of(String.valueOf(failure.getFile()), LENGTH);
	}

	@Override
	public String name() {
		return "the kubeconfig '%s'".formatted(this.file);
	}

	/**
	 * Action on the locked file.
	 *
	 * @param <T> the type of the result
	 */
	private interface Action<T> {

		T run() throws IOException;

	}

}
