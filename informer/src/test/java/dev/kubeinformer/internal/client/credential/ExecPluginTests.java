package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests of {@link ExecPlugin} with real processes.
 */
@DisabledOnOs(OS.WINDOWS)
class ExecPluginTests {

	private static final String V1 = "client.authentication.k8s.io/v1";

	private static final String TOKEN = "echo '{\"apiVersion\":\"%s\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"abc\"}}'"
		.formatted(V1);

	private static final JsonMapper JSON = JsonMapper.builder().build();

	@TempDir
	private Path folder;

	private Duration patience = Duration.ofMinutes(1);

	@Test
	void tokenShouldBeThatOfThePlugin() throws Exception {
		Path script = script(TOKEN);
		Credential credential = plugin(script).fetch();
		assertThat(credential.authorization()).isEqualTo("Bearer abc");
		assertThat(credential.identity()).isNull();
		assertThat(credential.expires()).isNull();
		assertThat(credential.source()).isEqualTo("credential plugin '%s'", script);
	}

	@Test
	void tokenAndCertificateShouldBothBeUsed() throws Exception {
		String output = JSON.writeValueAsString(Map.of("apiVersion", V1, "kind", "ExecCredential", "status",
				Map.of("token", "abc", "clientCertificateData", TestPem.OLD.certificate(), "clientKeyData",
						TestPem.OLD.key(), "expirationTimestamp", "2020-01-01T00:00:00.25+01:00")));
		Files.writeString(this.folder.resolve("output"), output);
		Credential credential = plugin(script("cat '%s'".formatted(this.folder.resolve("output")))).fetch();
		assertThat(credential.authorization()).isEqualTo("Bearer abc");
		assertThat(Objects.requireNonNull(credential.identity()).chain()).hasSize(1);
		assertThat(credential.expires()).isEqualTo("2019-12-31T23:00:00.250Z");
	}

	@Test
	void certificateShouldExpireItself() throws Exception {
		String output = JSON.writeValueAsString(Map.of("apiVersion", V1, "kind", "ExecCredential", "status", Map
			.of("token", "", "clientCertificateData", TestPem.OLD.certificate(), "clientKeyData", TestPem.OLD.key())));
		Files.writeString(this.folder.resolve("output"), output);
		Credential credential = plugin(script("cat '%s'".formatted(this.folder.resolve("output")))).fetch();
		assertThat(credential.authorization()).isNull();
		assertThat(credential.expires()).isEqualTo(Objects.requireNonNull(credential.identity()).expires());
	}

	@Test
	void keyOfAnotherCertificateShouldBeRefused() throws Exception {
		String output = JSON.writeValueAsString(Map.of("apiVersion", V1, "kind", "ExecCredential", "status",
				Map.of("clientCertificateData", TestPem.OLD.certificate(), "clientKeyData", TestPem.NEW.key())));
		Files.writeString(this.folder.resolve("output"), output);
		Path script = script("cat '%s'".formatted(this.folder.resolve("output")));
		assertThatIOException().isThrownBy(() -> plugin(script).fetch())
			.withMessageStartingWith("The output of the credential plugin '%s', field 'status.clientKeyData', ", script)
			.withCauseInstanceOf(ClientConfigurationException.class);
	}

	@Test
	void pluginShouldGetArgumentsEnvironmentAndNoInput() throws Exception {
		Path seen = this.folder.resolve("seen");
		Path script = script("{ printf '%s\\n' \"$1\" \"$2\" \"$MINE\" \"$PATH\" \"$KUBERNETES_EXEC_INFO\"; cat; } > '"
				+ seen + "'\n" + TOKEN);
		ClusterAccess.Plugin plugin = new ClusterAccess.Plugin(V1, script.toString(), List.of("a b", "$MINE"),
				Map.of("MINE", "x y", "KUBERNETES_EXEC_INFO", "other"), false, "IfAvailable", null, null);
		plugin(plugin, null).fetch();
		assertThat(Files.readAllLines(seen)).containsExactly("a b", "$MINE", "x y", System.getenv("PATH"),
				"{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"spec\":{\"interactive\":false}}");
	}

	@Test
	void pluginShouldBeToldTheContentOfTheAuthorityFileAsItIsNow() throws Exception {
		Path authority = Files.writeString(this.folder.resolve("ca.crt"), "one");
		Path seen = this.folder.resolve("seen");
		Path script = script("printf '%s' \"$KUBERNETES_EXEC_INFO\" > '" + seen + "'\n" + TOKEN);
		ClusterAccess.Plugin plugin = new ClusterAccess.Plugin(V1, script.toString(), List.of(), Map.of(), true,
				"Never", null, null);
		ExecPlugin fetcher = plugin(plugin, new Content.InFile("x", "certificate-authority", authority));
		fetcher.fetch();
		assertThat(authority(seen)).isEqualTo("b25l");
		Files.writeString(authority, "two");
		fetcher.fetch();
		assertThat(authority(seen)).isEqualTo("dHdv");
	}

	private static String authority(Path seen) throws IOException {
		JsonNode root = JSON.readTree(Files.readString(seen));
		return root.path("spec").path("cluster").path("certificate-authority-data").stringValue();
	}

	@Test
	void failureShouldNameThePluginTheExitCodeAndNoOutput() throws Exception {
		Path script = script("echo s3cret; exit 3");
		assertThatIOException().isThrownBy(() -> plugin(script).fetch())
			.withMessageStartingWith(
					"The kubeconfig '/x', field 'exec', names the credential plugin '%s', which failed with exit code 3. Run its command",
					script)
			.withMessageNotContaining("s3cret");
	}

	@Test
	void outputThatIsNoCredentialShouldNotBeShown() throws Exception {
		Path script = script("echo s3cret");
		assertThatIOException().isThrownBy(() -> plugin(script).fetch())
			.withMessageContaining("which did not print a JSON object")
			.withMessageNotContaining("s3cret");
	}

	@Test
	void missingCommandShouldShowItsInstallHint() {
		ClusterAccess.Plugin plugin = new ClusterAccess.Plugin(V1, "no-such-plugin-anywhere", List.of(), Map.of(),
				false, "Never", "Install it:\n\n   get it \u001b[1mnow", null);
		assertThatIOException().isThrownBy(() -> plugin(plugin, null).fetch())
			.withMessage("The kubeconfig '/x', field 'exec', names the credential plugin 'no-such-plugin-anywhere', "
					+ "which is not in the PATH of this process. Install it: get it \\u001B[1mnow");
	}

	@Test
	void missingFileShouldSaySo() {
		assertThatIOException().isThrownBy(() -> plugin(this.folder.resolve("absent")).fetch())
			.withMessageContaining("which does not exist. Install it");
	}

	@Test
	void fileThatIsNotExecutableShouldSaySo() throws Exception {
		Path script = script(TOKEN);
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
		assertThatIOException().isThrownBy(() -> plugin(script).fetch())
			.withMessageContaining("which is not executable by the user of this process");
		assertThatIOException().isThrownBy(() -> plugin(this.folder).fetch())
			.withMessageContaining("which is a directory");
	}

	@Test
	void missingInterpreterShouldBeNamed() throws Exception {
		Path script = script(TOKEN);
		Files.writeString(script, "#!/no/such/interpreter\n" + TOKEN);
		assertThatIOException().isThrownBy(() -> plugin(script).fetch())
			.withMessageContaining("because the interpreter that its first line names does not exist");
	}

	@Test
	void variableThatCannotBeSetShouldSaySoWithoutItsValue() throws Exception {
		ClusterAccess.Plugin plugin = new ClusterAccess.Plugin(V1, script(TOKEN).toString(), List.of(),
				Map.of("A", "s3cret\u0000"), false, "Never", null, null);
		assertThatIOException().isThrownBy(() -> plugin(plugin, null).fetch())
			.withMessageStartingWith("The kubeconfig '/x', field 'exec.env', ")
			.withMessageNotContaining("s3cret");
	}

	@Test
	void endlessOutputShouldEndThePlugin() throws Exception {
		Path script = script("while :; do echo 0123456789012345678901234567890123456789; done");
		assertThatIOException().isThrownBy(() -> plugin(script).fetch())
			.withMessageContaining("which printed more than 1 MiB");
	}

	@Test
	void pluginThatHangsShouldBeEndedWithItsChildren() throws Exception {
		this.patience = Duration.ofMillis(500);
		Path child = this.folder.resolve("child");
		Path script = script("sleep 300 & echo $! > '" + child + "'\nwait");
		assertThatIOException().isThrownBy(() -> plugin(script).fetch())
			.withMessageContaining("because it did not finish");
		Awaitility.await().until(() -> isGone(child));
	}

	@Test
	void childThatHoldsTheOutputOpenShouldNotBeWaitedFor() throws Exception {
		Path child = this.folder.resolve("child");
		Path script = script("sleep 300 & echo $! > '" + child + "'\n" + TOKEN);
		assertThat(plugin(script).fetch().authorization()).isEqualTo("Bearer abc");
		ProcessHandle.of(Long.parseLong(Files.readString(child).strip())).ifPresent(ProcessHandle::destroyForcibly);
	}

	@Test
	void closeShouldEndThePlugin() throws Exception {
		Path child = this.folder.resolve("child");
		ExecPlugin plugin = plugin(script("sleep 300 & echo $! > '" + child + "'\nwait"));
		FetchedSource source = new FetchedSource(plugin, ClientTime.system(), () -> {
		});
		assertThatIOException().isThrownBy(() -> source.current(() -> isWritten(child)));
		source.close();
		Awaitility.await().until(() -> isGone(child));
	}

	private static boolean isWritten(Path file) {
		return file.toFile().length() > 0;
	}

	private static boolean isGone(Path child) throws IOException {
		String pid = Files.readString(child).strip();
		return !pid.isEmpty() && ProcessHandle.of(Long.parseLong(pid)).map((it) -> !it.isAlive()).orElse(true);
	}

	private ExecPlugin plugin(Path command) {
		return plugin(new ClusterAccess.Plugin(V1, command.toString(), List.of(), Map.of(), false, "Never", null, null),
				null);
	}

	private ExecPlugin plugin(ClusterAccess.Plugin plugin, @Nullable Content authority) {
		ClusterAccess.Server server = new ClusterAccess.Server("https://127.0.0.1:1", null, false, authority, null);
		ClusterAccess access = new ClusterAccess("The kubeconfig '/x'", "kubeconfig '/x'", server,
				ClusterAccess.User.anonymous(), null);
		ClientTime time = ClientTime.system();
		return new ExecPlugin(access, plugin, time, new FileReader(time), this.patience);
	}

	private Path script(String body) throws IOException {
		Path script = Files.writeString(this.folder.resolve("plugin"), "#!/bin/sh\n" + body + "\n");
		return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

}
