package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.credential.ExecDocument.Answer;
import dev.kubeinformer.internal.client.credential.ExecDocument.InvalidAnswerException;
import dev.kubeinformer.internal.client.tls.ClientIdentity;
import dev.kubeinformer.internal.client.tls.Pem;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Fetches a credential by running the credential plugin of a kubeconfig, as
 * {@code plugin/pkg/client/auth/exec/exec.go} does.
 */
final class ExecPlugin implements Fetcher {

	static final String FIELD = "exec";

	/** Time after which a plugin that does not end is killed. */
	static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final String INFO = "KUBERNETES_EXEC_INFO";

	private static final int LONGEST_HINT = 1000;

	private final ClusterAccess access;

	private final ClusterAccess.Plugin plugin;

	private final ClientTime time;

	private final FileReader reader;

	private final Duration patience;

	private volatile @Nullable PluginProcess running;

	private volatile boolean closed;

	/**
	 * Creates a plugin without running it.
	 * @param access the cluster
	 * @param plugin the plugin
	 * @param time the clocks
	 * @param reader the reader of files
	 * @param patience the maximum time for a run
	 * @throws ClientConfigurationException if client-go would not run it
	 */
	ExecPlugin(ClusterAccess access, ClusterAccess.Plugin plugin, ClientTime time, FileReader reader,
			Duration patience) {
		this.access = access;
		this.plugin = plugin;
		this.time = time;
		this.reader = reader;
		this.patience = patience;
	}

	/**
	 * Checks the configuration before a plugin runs.
	 * @param access the cluster
	 * @param plugin the plugin
	 * @throws ClientConfigurationException if client-go would not run it
	 */
	static void check(ClusterAccess access, ClusterAccess.Plugin plugin) {
		if (!ExecDocument.isKnown(plugin.apiVersion())) {
			throw new ClientConfigurationException(access.place(), FIELD,
					"has the apiVersion '%s', which is not supported".formatted(PrintableText.of(plugin.apiVersion())),
					"Use 'client.authentication.k8s.io/v1' or 'client.authentication.k8s.io/v1beta1'.");
		}
	}

	/**
	 * Checks whether a plugin can run without a terminal.
	 * @param access the cluster
	 * @param plugin the plugin
	 * @throws ClientConfigurationException if the plugin needs a terminal
	 */
	static void checkInteraction(ClusterAccess access, ClusterAccess.Plugin plugin) {
		switch (plugin.interactiveMode()) {
			case "Never", "IfAvailable" -> {
				return;
			}
			case "Always" -> throw new ClientConfigurationException(access.place(), FIELD,
					"has the interactiveMode 'Always', but standard input is not a terminal",
					"Use a plugin that needs no terminal, or the interactiveMode 'IfAvailable' if it can do without.");
			default -> throw new ClientConfigurationException(access.place(), FIELD,
					"has the unknown interactiveMode '%s'".formatted(PrintableText.of(plugin.interactiveMode())),
					"Use 'Never', 'IfAvailable' or 'Always'.");
		}
	}

	@Override
	public String name() {
		return "the credential plugin '%s'".formatted(PrintableText.of(this.plugin.command()));
	}

	@Override
	public Credential fetch() throws IOException {
		try {
			return run();
		}
		catch (ClientConfigurationException ex) {
			String action = (ex.getAction() != null) ? ". " + ex.getAction() : "";
			throw new IOException(ex.getMessage() + action, ex);
		}
	}

	private Credential run() throws InterruptedIOException {
		PluginProcess process = start();
		this.running = process;
		if (this.closed) {
			process.terminate();
		}
		try {
			PluginProcess.Result result = process.await(this.patience);
			return switch (result.outcome()) {
				case HUNG ->
					throw failed("was ended after %d s because it did not finish".formatted(this.patience.toSeconds()),
							byHand());
				case TOO_LARGE -> throw failed("printed more than 1 MiB", byHand());
				case ENDED -> ended(result);
			};
		}
		catch (InterruptedException ex) {
			throw new InterruptedIOException("interrupted");
		}
		finally {
			this.running = null;
		}
	}

	private PluginProcess start() {
		List<String> command = new ArrayList<>();
		command.add(this.plugin.command());
		command.addAll(this.plugin.arguments());
		Map<String, String> environment = new LinkedHashMap<>(this.plugin.environment());
		environment.put(INFO, ExecDocument.info(this.plugin, this.access.server(), authority()));
		try {
			return PluginProcess.start(command, environment);
		}
		catch (IllegalArgumentException ex) {
			throw new ClientConfigurationException(this.access.place(), FIELD + ".env",
					"has a variable that cannot be set; its name must be without '=', and both without NUL",
					"Correct the variable.");
		}
		catch (IOException ex) {
			CommandProblem problem = CommandProblem.of(this.plugin.command(), System.getenv("PATH"), ex);
			throw failed(problem.text(), problem.missing() ? hint() : byHand());
		}
	}

	private byte @Nullable [] authority() {
		Content authority = this.plugin.providesClusterInfo() ? this.access.server().authority() : null;
		if (authority == null) {
			return null;
		}
		if (authority instanceof Content.InFile file) {
			return this.reader.read(file.path(), file.place(), file.field());
		}
		return ((Content.Inline) authority).text().getBytes(StandardCharsets.UTF_8);
	}

	private Credential ended(PluginProcess.Result result) {
		if (result.exitCode() != 0) {
			throw failed("failed with exit code %d".formatted(result.exitCode()), byHand());
		}
		try {
			return credential(ExecDocument.read(result.output(), this.plugin.apiVersion()));
		}
		catch (InvalidAnswerException ex) {
			throw failed(ex.problem(), byHand());
		}
	}

	private Credential credential(Answer answer) {
		Instant now = this.time.clock().instant();
		Instant expires = answer.expires();
		if (expires == null && !answer.token().isEmpty()) {
			expires = BearerTokens.expires(answer.token());
		}
		ClientIdentity identity = null;
		if (!answer.certificate().isEmpty()) {
			String place = "The output of " + name();
			identity = Pem.identity(place, "status.clientCertificateData", answer.certificate(), "status.clientKeyData",
					answer.key());
			expires = Renewal.earlier(expires, identity.expires());
		}
		return new Credential(answer.token().isEmpty() ? null : BearerTokens.header(answer.token()), identity,
				"credential plugin '%s'".formatted(PrintableText.of(this.plugin.command())), now, expires);
	}

	private ClientConfigurationException failed(String problem, @Nullable String action) {
		return new ClientConfigurationException(this.access.place(), FIELD, "names the credential plugin '%s', which %s"
			.formatted(PrintableText.of(this.plugin.command()), problem), action);
	}

	private static String byHand() {
		return "Run its command as the user of this process to see why; "
				+ "what it wrote is in the standard error of this process, not in the log, because it may hold secrets.";
	}

	private String hint() {
		String hint = this.plugin.installHint();
		if (hint == null || hint.isBlank()) {
			return "Install it, and make sure that this process finds it in PATH.";
		}
		return PrintableText.of(hint.strip().replaceAll("\\s+", " "), LONGEST_HINT);
	}

	@Override
	public void close() {
		this.closed = true;
		PluginProcess process = this.running;
		if (process != null) {
			process.terminate();
		}
	}

}
