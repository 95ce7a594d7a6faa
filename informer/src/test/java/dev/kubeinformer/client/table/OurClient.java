package dev.kubeinformer.client.table;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AuthenticationV1Api;
import io.kubernetes.client.openapi.models.V1SelfSubjectReview;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.ClientDescription;
import dev.kubeinformer.client.ClientEnvironment;
import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Our client, which asks the API server who it takes it for.
 */
final class OurClient {

	private OurClient() {
	}

	/**
	 * Makes a client of a kubeconfig, and asks.
	 * @param row the case
	 * @param folder its files
	 * @param servers the servers
	 * @return what became of it
	 */
	static Said ask(KubeconfigCase row, Path folder, TableServers servers) {
		servers.contacts.reset();
		try (ManagedApiClient client = builder(row, folder).context(row.context()).build()) {
			return ask(client, servers.contacts);
		}
		catch (ClientConfigurationException ex) {
			return new Said(Verdict.of(servers.contacts, false, false), ex, ex.getMessage() + ". " + ex.getAction());
		}
	}

	private static Said ask(ManagedApiClient client, Contacts contacts) {
		try {
			V1SelfSubjectReview review = new AuthenticationV1Api(client)
				.createSelfSubjectReview(new V1SelfSubjectReview())
				.execute();
			boolean understood = review.getStatus() != null && review.getStatus().getUserInfo() != null;
			return new Said(Verdict.of(contacts, understood, true), null, "");
		}
		catch (ApiException ex) {
			return new Said(Verdict.of(contacts, false, hasTried(ex)), ex, message(client, ex));
		}
	}

	/** Returns the log messages about the client's creation and the failure. */
	private static String message(ManagedApiClient client, ApiException failure) {
		ClientDescription about = client.description();
		String answer = (failure.getCause() instanceof IOException cause) ? inWords(Failure.of(cause))
				: "HTTP %d, %s".formatted(failure.getCode(), failure.getResponseBody());
		return "%s at %s, authority %s, proxy %s, credential: %s: %s".formatted(about.origin(), about.url(),
				about.authority(), about.proxy(), client.credential(), answer);
	}

	private static String inWords(Failure failure) {
		return failure.message();
	}

	private static ManagedApiClient.Builder builder(KubeconfigCase row, Path folder) {
		Map<String, String> variables = new HashMap<>(Map.of("HOME", folder.resolve("home").toString()));
		String variable = row.variable(folder);
		if (variable != null) {
			variables.put("KUBECONFIG", variable);
			return Clients.fromKubeconfig(ClientEnvironment.of(variables::get));
		}
		return Clients.fromKubeconfig(folder.resolve(KubeconfigCase.FILE).toString(),
				ClientEnvironment.of(variables::get));
	}

	private static boolean hasTried(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Result of our client.
	 *
	 * @param verdict the verdict
	 * @param failure the failure; {@code null} if it succeeded
	 * @param message the message that a person reads about the failure; empty if it
	 * succeeded
	 */
	record Said(Verdict verdict, @Nullable Exception failure, String message) {

	}

}
