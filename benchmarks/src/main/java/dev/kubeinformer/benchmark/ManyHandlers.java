package dev.kubeinformer.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Measures two hundred handlers of one informer: checks that all of them receive the same
 * instances over one watch, and measures the time for each event and handler.
 */
public final class ManyHandlers {

	private static final int OBJECTS = 2000;

	private ManyHandlers() {
	}

	/**
	 * Runs one handler, and then many.
	 * @param arguments the number of handlers; 200 by default
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String... arguments) throws InterruptedException {
		int handlers = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 200;
		for (int count : new int[] { 1, handlers, 1, handlers }) {
			run(count);
		}
	}

	private static void run(int handlers) throws InterruptedException {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			ApiResources<V1ConfigMap> server = api.resources(V1ConfigMap.class);
			server.fill(OBJECTS, (i) -> object(i, "0"));
			ApiClient client = new ApiClient();
			client.setBasePath(api.url());
			try (Informers informers = Informers.builder(client).build()) {
				Informer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class);
				LongAdder delivered = new LongAdder();
				Set<Object> instances = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
				List<HandlerRegistration> all = new ArrayList<>();
				for (int i = 0; i < handlers; i++) {
					all.add(informer.addHandler((event) -> {
						instances.add(event.object());
						delivered.increment();
					}, HandlerOptions.defaults().withQueueCapacity(100_000)));
				}
				informers.start();
				for (HandlerRegistration each : all) {
					each.awaitSync(Duration.ofMinutes(1));
				}
				int initial = instances.size();
				delivered.reset();
				long start = System.nanoTime();
				for (int i = 0; i < OBJECTS; i++) {
					server.update(object(i, "1"));
				}
				while (delivered.sum() < (long) OBJECTS * handlers) {
					LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
				}
				long nanos = System.nanoTime() - start;
				System.out.printf(
						"%d handlers: %d objects in %d instances, %d watch, %d ms for %d changes, %d ns an event and handler%n",
						handlers, OBJECTS, initial, api.openWatches(), nanos / 1_000_000, OBJECTS,
						nanos / OBJECTS / handlers);
			}
		}
	}

	private static V1ConfigMap object(int number, String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("object-" + number))
			.putDataItem("value", value);
	}

}
