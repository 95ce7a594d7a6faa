package dev.kubeinformer.spring.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.Informers;
import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of two replicas of an application, of which one leads.
 */
class TwoReplicasTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final List<ConfigurableApplicationContext> replicas = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.replicas.forEach(ConfigurableApplicationContext::close);
		this.kubernetes.close();
	}

	@Test
	void oneReplicaShouldDoWhatIsMeantForTheLeader() {
		this.kubernetes.resources(V1ConfigMap.class).create(new V1ConfigMap().metadata(meta("one")));
		this.kubernetes.resources(V1Secret.class).create(new V1Secret().metadata(meta("two")));
		Running leader = start();
		await().atMost(LONG).until(() -> leader.leadership().isLeader());
		Running standby = start();
		await().atMost(LONG).until(() -> standby.elector().status().state() == LeaderState.STANDBY);
		awaitWork(leader);
		await().until(() -> leader.handler().added.equals(List.of("one")) && leader.reconciler().runs.get() > 0);
		assertThat(standby.work().ticks()).isZero();
		assertThat(standby.handler().added).isEmpty();
		assertThat(standby.reconciler().runs).hasValue(0);
		assertThat(standby.context().getBean(InformerHandlerRegistry.class).get("mapHandler").isStandby()).isTrue();
		await().until(() -> standby.leadership().holder() != null);
		V1Lease lease = this.kubernetes.resources(V1Lease.class).get("shop", "web");
		assertThat(lease.getSpec().getHolderIdentity()).isEqualTo(leader.elector().spec().identity())
			.isEqualTo(standby.leadership().holder());

		long closing = System.nanoTime();
		leader.context().close();
		await().atMost(LONG).until(() -> standby.leadership().isLeader());
		// Not released, the Lease would be free after its duration.
		assertThat(Duration.ofNanos(System.nanoTime() - closing)).isLessThan(Duration.ofSeconds(30));
		int ticks = leader.work().ticks();
		awaitWork(standby);
		await().until(() -> standby.handler().added.equals(List.of("one")) && standby.reconciler().runs.get() > 0);
		assertThat(leader.work().ticks()).isEqualTo(ticks);
		await().until(() -> !standby.events().granted.isEmpty());
		assertThat(leader.events().revoked).extracting(LeadershipRevokedEvent::getReason)
			.containsExactly(RevocationReason.STOPPED);
	}

	@Test
	void leaseThatIsNotReleasedShouldEndByItself() {
		Running leader = start("--kubernetes.leader.release-on-stop=false");
		await().atMost(LONG).until(() -> leader.leadership().isLeader());
		leader.context().close();
		assertThat(this.kubernetes.resources(V1Lease.class).get("shop", "web").getSpec().getHolderIdentity())
			.isEqualTo(leader.elector().spec().identity());
	}

	@Test
	void yieldShouldLetTheOtherLead() {
		Running first = start();
		await().atMost(LONG).until(() -> first.leadership().isLeader());
		Running second = start();
		await().atMost(LONG).until(() -> second.elector().status().state() == LeaderState.STANDBY);
		first.leadership().yield();
		await().atMost(LONG).until(() -> second.leadership().isLeader());
		awaitWork(second);
		await().until(() -> !first.events().revoked.isEmpty());
		assertThat(first.events().revoked.get(0).getReason()).isEqualTo(RevocationReason.YIELDED);
	}

	@Test
	void restartShouldStandAgain() {
		Running replica = start();
		await().atMost(LONG).until(() -> replica.leadership().isLeader());
		replica.context().stop();
		assertThat(replica.leadership().isLeader()).isFalse();
		assertThat(replica.elector().isRunning()).isFalse();
		replica.context().start();
		await().atMost(LONG).until(() -> replica.leadership().isLeader());
		awaitWork(replica);
	}

	@Test
	void electorShouldNotConnectBeforeTheInformersAreStarted() {
		Running replica = start("--kubernetes.informers.auto-startup=false");
		assertThat(replica.elector().isRunning()).isFalse();
		replica.context().getBean(Informers.class).start();
		await().atMost(LONG).until(() -> replica.leadership().isLeader());
	}

	@Test
	void electorWithoutInformersShouldNotWaitForTheirStart() {
		Leadership leadership = run(Alone.class, "--kubernetes.informers.auto-startup=false").getBean(Leadership.class);
		await().atMost(LONG).until(leadership::isLeader);
	}

	@Test
	void childContextShouldShareTheElector() {
		Running parent = start();
		await().atMost(LONG).until(() -> parent.leadership().isLeader());
		ConfigurableApplicationContext child = new SpringApplicationBuilder(Child.class).parent(parent.context())
			.web(WebApplicationType.NONE)
			.run();
		assertThat(child.getBean(Leadership.class)).isSameAs(parent.leadership());
		child.getBean(ChildWork.class).run();
		assertThat(child.getBean(ChildWork.class).runs()).isOne();
		child.close();
		assertThat(parent.leadership().isLeader()).isTrue();
		assertThat(parent.elector().isRunning()).isTrue();
	}

	@Test
	void callUnderWayShouldEndBeforeTheLeaseIsReleased() throws Exception {
		Running leader = start();
		await().atMost(LONG).until(() -> leader.leadership().isLeader());
		Work work = leader.work();
		Thread caller = new Thread(work::block);
		caller.start();
		assertThat(work.entered().await(20, TimeUnit.SECONDS)).isTrue();
		Thread closing = new Thread(leader.context()::close);
		closing.start();
		await().atMost(LONG).until(() -> !leader.context().getBean(LeaderOnlyCalls.class).isRunning());
		assertThat(leader.leadership().isLeader()).isTrue();
		assertThat(holder()).isNotEmpty();
		work.go().countDown();
		closing.join(60_000);
		assertThat(holder()).isNullOrEmpty();
	}

	private String holder() {
		return this.kubernetes.resources(V1Lease.class).get("shop", "web").getSpec().getHolderIdentity();
	}

	private static void awaitWork(Running leader) {
		int before = leader.work().ticks();
		await().atMost(LONG).until(() -> leader.work().ticks() > before + 2);
	}

	private Running start(String... arguments) {
		return Running.of(run(Replica.class, arguments));
	}

	private ConfigurableApplicationContext run(Class<?> application, String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		for (String property : InformerContextRunner.NO_CLUSTER) {
			all.add("--" + property);
		}
		all.addAll(List.of("--kubernetes.client.url=" + this.kubernetes.url(), "--kubernetes.leader.enabled=true",
				"--kubernetes.leader.lease.namespace=shop", "--spring.application.name=web",
				"--kubernetes.leader.lease-duration=60s", "--kubernetes.leader.renew-deadline=40s",
				"--kubernetes.leader.retry-period=500ms"));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.run(all.toArray(String[]::new));
		this.replicas.add(context);
		return context;
	}

	private static V1ObjectMeta meta(String name) {
		return new V1ObjectMeta().namespace("shop").name(name);
	}

	/**
	 * A replica, whose beans are asked also after it was closed.
	 *
	 * @param context its context
	 * @param leadership who leads
	 * @param work its methods for the leader
	 * @param handler its handler for the leader
	 * @param reconciler its reconciler
	 * @param events what was published
	 */
	private record Running(ConfigurableApplicationContext context, Leadership leadership, Work work, MapHandler handler,
			SecretReconciler reconciler, Events events) {

		static Running of(ConfigurableApplicationContext context) {
			return new Running(context, context.getBean(Leadership.class), context.getBean(Work.class),
					context.getBean(MapHandler.class), context.getBean(SecretReconciler.class),
					context.getBean(Events.class));
		}

		LeaderElector elector() {
			return (LeaderElector) this.leadership;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ Work.class, MapHandler.class, SecretReconciler.class, Events.class })
	static class Replica {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class Alone {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import(ChildWork.class)
	static class Child {

	}

	static class ChildWork {

		private final AtomicInteger runs = new AtomicInteger();

		@LeaderOnly
		void run() {
			this.runs.incrementAndGet();
		}

		int runs() {
			return this.runs.get();
		}

	}

	static class Work {

		private final AtomicInteger ticks = new AtomicInteger();

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch go = new CountDownLatch(1);

		@Scheduled(fixedRate = 10)
		@LeaderOnly
		void tick() {
			this.ticks.incrementAndGet();
		}

		@LeaderOnly
		void block() {
			this.entered.countDown();
			try {
				this.go.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		int ticks() {
			return this.ticks.get();
		}

		CountDownLatch entered() {
			return this.entered;
		}

		CountDownLatch go() {
			return this.go;
		}

	}

	@InformerHandler(id = "mapHandler", leaderOnly = "true", namespaces = "shop")
	static class MapHandler {

		private final List<String> added = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(V1ConfigMap map) {
			this.added.add(map.getMetadata().getName());
		}

	}

	@Reconciler(id = "secretReconciler", namespaces = "shop")
	static class SecretReconciler {

		private final AtomicInteger runs = new AtomicInteger();

		@Reconcile
		void reconcile(V1Secret secret) {
			this.runs.incrementAndGet();
		}

	}

	static class Events {

		private final List<LeadershipGrantedEvent> granted = new CopyOnWriteArrayList<>();

		private final List<LeadershipRevokedEvent> revoked = new CopyOnWriteArrayList<>();

		@EventListener
		void granted(LeadershipGrantedEvent event) {
			this.granted.add(event);
		}

		@EventListener
		void revoked(LeadershipRevokedEvent event) {
			this.revoked.add(event);
		}

	}

}
