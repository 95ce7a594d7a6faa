package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Embedded API over TLS in a separate JVM. It keeps its port, certificate and data while
 * it is stopped.
 */
public final class EmbeddedApi implements RestartedServer {

	private static final int AWAY = '-';

	private static final int BACK = '+';

	private final Process process;

	private final OutputStream orders;

	/**
	 * Starts the server.
	 * @param kubeconfig the path for its kubeconfig
	 * @throws IOException if it does not start
	 */
	EmbeddedApi(Path kubeconfig) throws IOException {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), EmbeddedApi.class.getName(), kubeconfig.toString())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		this.orders = this.process.getOutputStream();
	}

	/**
	 * Serves until its input ends.
	 * @param args the path for its kubeconfig
	 * @throws IOException if its input cannot be read
	 */
	public static void main(String... args) throws IOException {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder()
			.tls()
			.protobuf(true)
			.user("bench", "bench-token", ApiUser::allowAll)
			.start()) {
			Path kubeconfig = Path.of(args[0]);
			Path complete = kubeconfig.resolveSibling("complete");
			Files.move(api.writeKubeconfig(complete), kubeconfig);
			for (int order = System.in.read(); order >= 0; order = System.in.read()) {
				if (order == AWAY) {
					api.stopServing();
				}
				else if (order == BACK) {
					api.resumeServing();
				}
			}
		}
	}

	@Override
	public void kill() throws IOException {
		order(AWAY);
	}

	@Override
	public void start() throws IOException {
		order(BACK);
	}

	private void order(int order) throws IOException {
		this.orders.write(order);
		this.orders.flush();
	}

	@Override
	public void close() throws IOException {
		this.orders.close();
		this.process.onExit().join();
	}

}
