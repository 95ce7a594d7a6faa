package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.credentials.Authentication;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that the application's pod runs in.
 */
final class ServiceAccount implements Cluster {

	@Override
	public String origin() {
		return "service account";
	}

	@Override
	public String namespace() {
		Path file = Path.of(Config.SERVICEACCOUNT_NAMESPACE_PATH);
		try {
			return Files.readString(file, StandardCharsets.UTF_8).strip();
		}
		catch (IOException ex) {
			throw new IllegalStateException("'%s' cannot be read".formatted(file), ex);
		}
	}

	@Override
	public ApiClient client(@Nullable Authentication authentication) {
		try {
			ClientBuilder builder = ClientBuilder.cluster();
			if (authentication != null) {
				builder.setAuthentication(authentication);
			}
			return ManagedApiClient.of(builder, Files.readAllBytes(Path.of(Config.SERVICEACCOUNT_CA_PATH)), null);
		}
		catch (IOException ex) {
			throw new IllegalStateException(
					"The service account under '%s' cannot be read".formatted(Config.SERVICEACCOUNT_ROOT), ex);
		}
	}

}
