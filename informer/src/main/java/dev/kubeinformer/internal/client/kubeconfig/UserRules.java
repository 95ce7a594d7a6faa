package dev.kubeinformer.internal.client.kubeconfig;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.ExecEntry;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigContent.UserEntry;
import dev.kubeinformer.internal.text.PrintableText;

/**
 * Checks users of a kubeconfig by the rules of client-go.
 */
final class UserRules {

	private static final String GROUP = "client.authentication.k8s.io/";

	private static final List<String> EXEC_VERSIONS = List.of(GROUP + "v1", GROUP + "v1beta1");

	private static final Set<String> MODES = Set.of("Never", "IfAvailable", "Always");

	private UserRules() {
	}

	/**
	 * Checks a user by the rules that do not depend on the server
	 * ({@code tools/clientcmd/validation.go}).
	 * @param user the user
	 */
	static void check(UserEntry user) {
		Place place = user.place();
		if (!user.token().isEmpty() && (!user.username().isEmpty() || !user.password().isEmpty())) {
			throw place.invalid("token", "is set together with 'username' or 'password', but only one can be used",
					"Remove one of them.");
		}
		if (user.hasCertificate()) {
			checkCertificate(user);
		}
		if (user.exec() != null) {
			checkExec(place, user.exec(), user.provider());
		}
		checkImpersonation(place, user.impersonation());
	}

	private static void checkCertificate(UserEntry user) {
		Place place = user.place();
		checkOne(place, "client-certificate", user.certificate(), user.certificateData());
		checkOne(place, "client-key", user.key(), user.keyData());
		if (user.key().isEmpty() && user.keyData().isEmpty()) {
			throw place.invalid("client-key", "is missing, but the client certificate needs its key",
					"Add 'client-key' or 'client-key-data'.");
		}
		checkFile(user, "client-certificate", user.certificate());
		checkFile(user, "client-key", user.key());
	}

	/**
	 * Checks that a field for a file and the field for inline content are not both set.
	 * @param place the entry of the kubeconfig that has the fields
	 * @param field the name of the field for the file
	 * @param file the path of the file; empty if it is not set
	 * @param data the inline content; empty if it is not set
	 */
	static void checkOne(Place place, String field, String file, String data) {
		if (!file.isEmpty() && !data.isEmpty()) {
			throw place.invalid(field, "is set together with '%s-data', but only one can be used".formatted(field),
					"Remove one of them.");
		}
	}

	private static void checkFile(UserEntry user, String field, String file) {
		if (!file.isEmpty()) {
			NamedFile.check(user.place(), field, NamedFile.resolve(user.place(), user.folder(), field, file));
		}
	}

	private static void checkExec(Place place, ExecEntry exec, ClusterAccess.@Nullable Provider provider) {
		if (provider != null) {
			throw place.invalid("exec", "is set together with 'auth-provider', but only one can be used",
					"Remove one of them.");
		}
		if (exec.command().isEmpty()) {
			throw place.invalid("exec.command", "is missing", "Add the command of the credential plugin.");
		}
		if (exec.apiVersion().isEmpty()) {
			throw place.invalid("exec.apiVersion", "is missing", "Add '%s'.".formatted(EXEC_VERSIONS.get(0)));
		}
		for (int i = 0; i < exec.environment().size(); i++) {
			if (exec.environment().get(i).name().isEmpty()) {
				throw place.invalid("exec.env[%d].name".formatted(i), "is missing", "Name the environment variable.");
			}
		}
		if (exec.interactiveMode().isEmpty()) {
			throw place.invalid("exec.interactiveMode", "is missing, but this 'exec.apiVersion' needs it",
					"Add 'interactiveMode: Never', or 'IfAvailable' for a plugin that can also ask a person.");
		}
		if (!MODES.contains(exec.interactiveMode())) {
			throw place.invalid("exec.interactiveMode", "is %s".formatted(Place.quoted(exec.interactiveMode())),
					"Use 'Never', 'IfAvailable' or 'Always'.");
		}
	}

	private static void checkImpersonation(Place place, ClusterAccess.Impersonation impersonation) {
		String field = !impersonation.groups().isEmpty() ? "as-groups"
				: (impersonation.uid() != null) ? "as-uid" : !impersonation.extra().isEmpty() ? "as-user-extra" : null;
		if (impersonation.user() == null && field != null) {
			throw place.invalid(field, "is set without 'as', which it needs", "Add 'as' with the name of a user.");
		}
		checkHeader(place, "as", impersonation.user());
		impersonation.groups().forEach((group) -> checkHeader(place, "as-groups", group));
		checkHeader(place, "as-uid", impersonation.uid());
		impersonation.extra()
			.forEach((key, values) -> values
				.forEach((value) -> checkHeader(place, "as-user-extra." + PrintableText.of(key), value)));
	}

	private static void checkHeader(Place place, String field, @Nullable String value) {
		if (value == null || value.chars().allMatch((character) -> character == '\t' || isPrintable(character))) {
			return;
		}
		boolean ended = value.strip().chars().allMatch(UserRules::isPrintable);
		throw place.invalid(field,
				ended ? "ends with a line break" : "has characters that an HTTP header cannot contain",
				ended ? "Write the value in one line; '|-' instead of '|' leaves out the last line break."
						: "Correct the value.");
	}

	private static boolean isPrintable(int character) {
		return character >= ' ' && character != 0x7f;
	}

	/**
	 * Checks a user by the rules for servers with HTTPS. Credentials are not sent to
	 * other servers.
	 * @param user the user
	 */
	static void checkCredentials(UserEntry user) {
		Place place = user.place();
		checkHeader(place, "token", user.token());
		if (user.token().chars().anyMatch((character) -> character > 0x7f)) {
			throw place.invalid("token", "has characters that an HTTP header cannot contain", "Correct the value.");
		}
		if (!user.tokenFile().isEmpty()) {
			if (!user.username().isEmpty()) {
				throw place.invalid("tokenFile", "is set together with 'username', but only one can be used",
						"Remove one of them.");
			}
			if (user.token().isEmpty()) {
				checkFile(user, "tokenFile", user.tokenFile());
			}
		}
		if (user.exec() != null && !EXEC_VERSIONS.contains(user.exec().apiVersion())) {
			boolean alpha = (GROUP + "v1alpha1").equals(user.exec().apiVersion());
			throw place.invalid("exec.apiVersion",
					alpha ? "is '%sv1alpha1', which kubectl does not support since 1.24".formatted(GROUP)
							: "is %s, which is not supported".formatted(Place.quoted(user.exec().apiVersion())),
					"Update the plugin %s, and use '%s'.".formatted(Place.quoted(user.exec().command()),
							EXEC_VERSIONS.get(1)));
		}
		if (user.provider() != null) {
			checkProvider(place, user.provider());
		}
	}

	private static void checkProvider(Place place, ClusterAccess.Provider provider) {
		switch (provider.name().toLowerCase(Locale.ROOT)) {
			case "oidc" -> checkOidc(place, provider.config());
			case "gcp" -> throw place.invalid("auth-provider", "is 'gcp', which kubectl does not support since 1.26",
					"Install the plugin 'gke-gcloud-auth-plugin', and run 'gcloud container clusters get-credentials'.");
			case "azure" ->
				throw place.invalid("auth-provider", "is 'azure', which kubectl does not support since 1.26",
						"Install the plugin 'kubelogin', and run 'kubelogin convert-kubeconfig'.");
			default -> throw place.invalid("auth-provider",
					"is %s, which is not supported".formatted(Place.quoted(provider.name())),
					"Use a credential plugin ('exec') instead, or the auth provider 'oidc'.");
		}
	}

	private static void checkOidc(Place place, Map<String, String> config) {
		for (String key : List.of("idp-issuer-url", "client-id")) {
			if (config.getOrDefault(key, "").isEmpty()) {
				throw place.invalid("auth-provider.config." + key, "is missing", "Add it, or log in anew.");
			}
		}
	}

}
