package dev.kubeinformer.spring.autoconfigure.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;

/**
 * An informer and a reconciler on one client, and when they saw and wrote something.
 */
final class RotationParticipant implements AutoCloseable {

	private final String name;

	private final List<Long> seen = new CopyOnWriteArrayList<>();

	private final List<Long> written = new CopyOnWriteArrayList<>();

	private final List<ListReason> lists = new CopyOnWriteArrayList<>();

	private final Informers informers;

	private final Informer<V1ConfigMap> informer;

	private final ReconcilerContainer reconciler;

	RotationParticipant(String name, ApiClient client) {
		this.name = name;
		this.informers = Informers.builder(client).listener(new InformerListener() {

			@Override
			public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
				RotationParticipant.this.lists.add(reason);
			}

		}).build();
		this.informer = this.informers.informer(InformerSpec.of(V1ConfigMap.class).withNamespaces(name));
		this.informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1ConfigMap config) {
				RotationParticipant.this.seen.add(System.nanoTime());
			}

			@Override
			public void onUpdate(V1ConfigMap previous, V1ConfigMap config) {
				RotationParticipant.this.seen.add(System.nanoTime());
			}

			@Override
			public void onDelete(V1ConfigMap config, boolean unknown) {
			}

		});
		this.reconciler = this.informers.controller(ReconcilerSpec.of("children", V1ConfigMap.class, this::reconcile)
			.withNamespaces(name)
			.withOwned(V1Secret.class));
		this.informers.start();
		this.reconciler.start();
	}

	private Result reconcile(V1ConfigMap config, Reconciliation<V1ConfigMap> run) throws ApiException {
		run.apply(new V1Secret().metadata(new V1ObjectMeta().name(run.key().name()))
			.stringData(Map.of("number", config.getData().get("number"))));
		this.written.add(System.nanoTime());
		return Result.done();
	}

	String name() {
		return this.name;
	}

	boolean isAtWork() {
		return this.informer.state() == InformerState.LIVE && !this.seen.isEmpty() && !this.written.isEmpty();
	}

	@Nullable String number() {
		V1ConfigMap config = this.informer.getIndexer().getByKey(this.name + "/tick");
		return (config != null) ? config.getData().get("number") : null;
	}

	/**
	 * Returns the lists since the start that no new informer explains.
	 */
	List<ListReason> relists() {
		return this.lists.stream().filter((reason) -> reason != ListReason.INITIAL).toList();
	}

	Duration longestGapOfEvents(long from, long until) {
		return longestGap(this.seen, from, until);
	}

	Duration longestGapOfWrites(long from, long until) {
		return longestGap(this.written, from, until);
	}

	private static Duration longestGap(List<Long> times, long from, long until) {
		List<Long> bounded = new ArrayList<>(List.of(from));
		times.stream().filter((time) -> time > from && time < until).forEach(bounded::add);
		bounded.add(until);
		long longest = 0;
		for (int i = 1; i < bounded.size(); i++) {
			longest = Math.max(longest, bounded.get(i) - bounded.get(i - 1));
		}
		return Duration.ofNanos(longest);
	}

	@Override
	public void close() {
		this.reconciler.stop();
		this.informers.close();
	}

}
