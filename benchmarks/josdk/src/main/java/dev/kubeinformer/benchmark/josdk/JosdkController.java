package dev.kubeinformer.benchmark.josdk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;

/**
 * The controller on JOSDK, with the version of fabric8's client that it brings.
 */
public final class JosdkController {

	private static final String VERTX = "-vertx";

	private JosdkController() {
	}

	/**
	 * Runs it until the standard input ends.
	 * @param arguments the kubeconfig, the number of workers, and {@code compare},
	 * {@code always} or {@code dependent}; with {@code -vertx} for that HTTP client.
	 * JOSDK brings the one of the JDK beside fabric8's default, and which one is taken is
	 * random unless it is chosen
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		Counts counts = new Counts();
		KubernetesClient client = new KubernetesClientBuilder()
			.withConfig(Config.fromKubeconfig(Path.of(arguments[0]).toFile()))
			.withHttpClientFactory(
					arguments[2].endsWith(VERTX) ? new VertxHttpClientFactory() : new JdkHttpClientFactory())
			.build();
		int workers = Integer.parseInt(arguments[1]);
		Operator operator = new Operator((options) -> options.withKubernetesClient(client)
			.withConcurrentReconciliationThreads(workers)
			.withExecutorService(Executors.newFixedThreadPool(workers)));
		operator.register(reconciler(arguments[2].replace(VERTX, ""), counts));
		operator.start();
		counts.answer();
		System.exit(0);
	}

	private static Reconciler<Widget> reconciler(String variant, Counts counts) {
		return switch (variant) {
			case "compare" -> new PlainReconciler(counts, false);
			case "always" -> new PlainReconciler(counts, true);
			case "dependent" -> new DependentReconciler(counts);
			default -> throw new IllegalArgumentException("No variant '%s'".formatted(variant));
		};
	}

}
