package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.kubernetes.client.util.Config;
import okhttp3.Interceptor;
import okhttp3.Response;

import dev.kubeinformer.Informers;
import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/** Controller on this project, without Spring. */
public final class OurController {

	private static final Counts COUNTS = new Counts();

	private final boolean three;

	private OurController(boolean three) {
		this.three = three;
	}

	/**
	 * Runs the controller until the standard input ends.
	 * @param arguments the kubeconfig, the number of workers, and options: {@code three}
	 * for a Deployment and a Service in addition to each ConfigMap, {@code lease} for the
	 * name of a Lease, {@code shard} for a share such as {@code 0/2}
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		Map<String, String> options = new HashMap<>();
		Arrays.stream(arguments)
			.skip(2)
			.map((each) -> each.split("=", 2))
			.forEach((option) -> options.put(option[0], option[1]));
		Path kubeconfig = Path.of(arguments[0]);
		ApiClient client = client(kubeconfig);
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(OurController::count).build());
		Informers informers = Informers.builder(client).build();
		OurController controller = new OurController(Boolean.parseBoolean(options.get("three")));
		ReconcilerSpec<Widget> spec = controller.spec(Integer.parseInt(arguments[1]));
		if (options.containsKey("shard")) {
			String[] shard = options.get("shard").split("/");
			spec = spec.withShard(new Shard(ShardKey.UID, Integer.parseInt(shard[0]), Integer.parseInt(shard[1])));
		}
		if (options.containsKey("lease")) {
			ApiClient elections = client(kubeconfig);
			LeaderElector elector = LeaderElector.of(() -> elections,
					LeaderSpec.of(Widgets.NAMESPACE, options.get("lease")));
			elector.start();
			spec = spec.withLeadership(elector);
		}
		informers.controller(spec).start();
		informers.start();
		COUNTS.answer();
		System.exit(0);
	}

	private static ApiClient client(Path kubeconfig) throws IOException {
		return Config.fromConfig(Files.newBufferedReader(kubeconfig));
	}

	private ReconcilerSpec<Widget> spec(int workers) {
		ReconcilerSpec<Widget> spec = ReconcilerSpec.of("widgets", Widget.class, this::reconcile)
			.withOwned(V1ConfigMap.class)
			.withFieldManager("benchmark")
			.withConcurrency(workers);
		return this.three ? spec.withOwned(V1Deployment.class).withOwned(V1Service.class) : spec;
	}

	private Result reconcile(Widget widget, Reconciliation<Widget> run) throws ApiException {
		Widget.Spec spec = Objects.requireNonNull(widget.getSpec());
		String name = run.key().name();
		apply(run, new V1ConfigMap().metadata(metadata(name))
			.data(Widgets.data(spec.getSize(), Objects.requireNonNull(spec.getMessage()))));
		if (this.three) {
			apply(run, deployment(name, spec.getSize()));
			apply(run, service(name));
		}
		COUNTS.reconciled();
		return Result.done();
	}

	private static void apply(Reconciliation<Widget> run, KubernetesObject child) throws ApiException {
		run.apply(child);
	}

	private static V1ObjectMeta metadata(String name) {
		return new V1ObjectMeta().name(name).labels(Widgets.labels());
	}

	private static V1Deployment deployment(String name, int size) {
		Map<String, String> selector = Map.of("widget", name);
		V1Container web = new V1Container().name("web")
			.image(Widgets.IMAGE)
			.addEnvItem(new V1EnvVar().name("SIZE").value(Integer.toString(size)))
			.addPortsItem(new V1ContainerPort().name("http").containerPort(8080))
			.resources(new V1ResourceRequirements().putRequestsItem("cpu", new Quantity("0.1"))
				.putRequestsItem("memory", new Quantity("64Mi")));
		return new V1Deployment().metadata(metadata(name))
			.spec(new V1DeploymentSpec().replicas(size % 3 + 1)
				.selector(new V1LabelSelector().matchLabels(selector))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(selector))
					.spec(new V1PodSpec().addContainersItem(web))));
	}

	private static V1Service service(String name) {
		return new V1Service().metadata(metadata(name))
			.spec(new V1ServiceSpec().clusterIP("None")
				.selector(Map.of("widget", name))
				.addPortsItem(new V1ServicePort().name("http").port(80).targetPort(new IntOrString("http"))));
	}

	private static Response count(Interceptor.Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		if (!chain.request().method().equals("GET")) {
			COUNTS.written();
		}
		return response;
	}

}
