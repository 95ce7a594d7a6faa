package dev.kubeinformer.spring.autoconfigure.compose;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.autoconfigure.client.KubeconfigDetails;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Kubeconfig that a starting K3s writes. The file may be from an earlier start; the
 * server's certificate shows whether it is from this start.
 *
 * @param service the name of the service
 * @param file the file
 * @param url the URL of the server
 */
record WrittenKubeconfig(String service, Path file, String url) {

	private static final Duration PAUSE = Duration.ofMillis(200);

	/**
	 * Waits until the server accepts the kubeconfig.
	 * @param patience the maximum time to wait
	 * @return the connection details
	 * @throws InformerConfigurationException if the server does not accept it in that
	 * time
	 */
	KubeconfigDetails await(Duration patience) {
		long deadline = System.nanoTime() + patience.toNanos();
		while (true) {
			KubeconfigDetails details = null;
			String problem;
			try {
				details = new KubeconfigDetails(Files.readString(this.file, StandardCharsets.UTF_8));
				problem = refusal(details);
			}
			catch (IOException ex) {
				problem = "it cannot be read (%s)".formatted(ex.getClass().getSimpleName());
			}
			catch (RuntimeException ex) {
				// The file may be half written. Do not use the exception's message,
				// because it may quote the file.
				problem = "it is not a kubeconfig (%s)".formatted(ex.getClass().getSimpleName());
			}
			if (problem == null && details != null) {
				return details;
			}
			if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
				throw new InformerConfigurationException(
						("The kubeconfig '%s' of the service '%s' of Docker Compose, at %s, is not "
								+ "usable after %d s: %s")
							.formatted(this.file, this.service, this.url, patience.toSeconds(), problem),
						("Have K3s write it there: K3S_KUBECONFIG_OUTPUT in a folder that is mounted, K3S_KUBECONFIG_MODE so that "
								+ "this user may read it, port 6443 mapped, and the path on this machine in the label '%s'.")
							.formatted(K3sDockerComposeConnectionDetailsFactory.LABEL));
			}
			LockSupport.parkNanos(PAUSE.toNanos());
		}
	}

	private @Nullable String refusal(KubeconfigDetails details) {
		String authority = details.getCertificateAuthority();
		String certificate = details.getClientCertificate();
		String key = details.getClientKey();
		if (authority == null || certificate == null || key == null) {
			return "it has no certificates";
		}
		try (ManagedApiClient client = Clients.of(this.url)
			.certificateAuthority(authority)
			.clientCertificate(certificate, key)
			.build()) {
			return refusal(client);
		}
	}

	// The content of the response does not matter, and redirects are not followed.
	private @Nullable String refusal(ManagedApiClient client) {
		OkHttpClient http = client.getHttpClient().newBuilder().readTimeout(Duration.ofSeconds(5)).build();
		try (Response response = http.newCall(new Request.Builder().url(this.url + "/version").build()).execute()) {
			return response.isSuccessful() ? null
					: "the server does not accept it (HTTP %d)".formatted(response.code());
		}
		catch (IOException ex) {
			return "the server does not respond (%s)".formatted(ex.getClass().getSimpleName());
		}
	}

}
