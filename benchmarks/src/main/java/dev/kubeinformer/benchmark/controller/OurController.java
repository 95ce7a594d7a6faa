package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;
import okhttp3.Interceptor;
import okhttp3.Response;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;

/**
 * The controller on this project, without Spring.
 */
public final class OurController {

	private static final Counts COUNTS = new Counts();

	private OurController() {
	}

	/**
	 * Runs it until the standard input ends.
	 * @param arguments the kubeconfig and the number of workers
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		ApiClient client = Config.fromConfig(Files.newBufferedReader(Path.of(arguments[0])));
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(OurController::count).build());
		Informers informers = Informers.builder(client).build();
		ReconcilerSpec<Widget> spec = ReconcilerSpec.of("widgets", Widget.class, OurController::reconcile)
			.withOwned(V1ConfigMap.class)
			.withConcurrency(Integer.parseInt(arguments[1]));
		informers.controller(spec).start();
		informers.start();
		COUNTS.answer();
		System.exit(0);
	}

	private static Result reconcile(Widget widget, Reconciliation<Widget> run) throws ApiException {
		Widget.Spec spec = Objects.requireNonNull(widget.getSpec());
		run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(run.key().name()).labels(Widgets.labels()))
			.data(Widgets.data(spec.getSize(), Objects.requireNonNull(spec.getMessage()))));
		COUNTS.reconciled();
		return Result.done();
	}

	private static Response count(Interceptor.Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		if (!chain.request().method().equals("GET")) {
			COUNTS.written();
		}
		return response;
	}

}
