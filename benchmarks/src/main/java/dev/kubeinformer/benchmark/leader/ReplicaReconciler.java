package dev.kubeinformer.benchmark.leader;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Creates an object in each run, so that the API server records the order in which
 * replicas wrote.
 */
@Reconciler(id = "replica", namespaces = "${kubernetes.leader.lease.namespace}", labelSelector = Records.PRIMARIES,
		concurrency = "64")
class ReplicaReconciler {

	private final ReplicaProperties properties;

	private final Journal journal;

	private final Leadership leadership;

	private final AtomicLong runs = new AtomicLong();

	private final CountDownLatch never = new CountDownLatch(1);

	ReplicaReconciler(ReplicaProperties properties, Journal journal, Leadership leadership) {
		this.properties = properties;
		this.journal = journal;
		this.leadership = leadership;
	}

	@Reconcile
	Result reconcile(V1ConfigMap primary, Reconciliation<V1ConfigMap> run) throws ApiException, InterruptedException {
		long number = this.runs.incrementAndGet();
		Leadership.Term term = this.leadership.term();
		Records.Write write = new Records.Write(this.properties.name(), (term != null) ? term.number() : 0);
		this.journal.write(Entry.Kind.BEGIN, number);
		String outcome = "interrupted";
		try {
			if (this.properties.blocking()) {
				this.never.await();
			}
			Thread.sleep(this.properties.work().toMillis());
			outcome = "refused";
			run.create(new V1Secret().metadata(
					new V1ObjectMeta().name("%s-%d".formatted(write.writer(), number)).labels(Records.labels(write))));
			outcome = "written";
		}
		finally {
			this.journal.write(Entry.Kind.END, number, outcome);
		}
		return Result.requeueAfter(this.properties.pause());
	}

}
