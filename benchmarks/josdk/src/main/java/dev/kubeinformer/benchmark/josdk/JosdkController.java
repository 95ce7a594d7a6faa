package dev.kubeinformer.benchmark.josdk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;

/** Controller on JOSDK, with the version of fabric8's client on which JOSDK depends. */
public final class JosdkController {

	private static final String VERTX = "-vertx";

	private JosdkController() {
	}

	/**
	 * Runs the controller until the standard input ends.
	 * @param arguments the kubeconfig, the number of workers, and {@code compare}, {@code
	 * always} or {@code dependent}; with {@code -vertx} for that HTTP client. JOSDK
	 * depends on the JDK's HTTP client in addition to fabric8's default, and without a
	 * choice a random one is used. Then options: {@code three=true} for a Deployment and
	 * a Service in addition to each ConfigMap, {@code lease} for the name of a Lease
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
		Map<String, String> given = Arrays.stream(arguments)
			.skip(3)
			.map((each) -> each.split("=", 2))
			.collect(Collectors.toMap((option) -> option[0], (option) -> option[1]));
		Operator operator = new Operator((options) -> {
			options.withKubernetesClient(client)
				.withConcurrentReconciliationThreads(workers)
				.withExecutorService(Executors.newFixedThreadPool(workers));
			if (given.containsKey("lease")) {
				options.withLeaderElectionConfiguration(new LeaderElectionConfiguration(given.get("lease"),
						"controller-benchmark", Long.toString(ProcessHandle.current().pid())));
			}
		});
		operator.register(reconciler(arguments[2].replace(VERTX, ""), counts,
				Boolean.parseBoolean(given.getOrDefault("three", "false"))));
		// The start blocks until this process leads.
		Thread starter = new Thread(operator::start, "starter");
		starter.setDaemon(true);
		starter.start();
		counts.answer();
		System.exit(0);
	}

	private static Reconciler<Widget> reconciler(String variant, Counts counts, boolean three) {
		return switch (variant) {
			case "compare" -> new PlainReconciler(counts, false, three);
			case "always" -> new PlainReconciler(counts, true, three);
			case "dependent" -> new DependentReconciler(counts);
			default -> throw new IllegalArgumentException("No variant '%s'".formatted(variant));
		};
	}

}
