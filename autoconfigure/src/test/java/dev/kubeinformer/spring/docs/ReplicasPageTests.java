package dev.kubeinformer.spring.docs;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/replicas.md} does what the page says.
 */
class ReplicasPageTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withPropertyValues("spring.application.name=shop", "kubernetes.leader.enabled=true",
				"kubernetes.leader.lease.namespace=default")
		.withBean(Notices.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void methodsOfTheLeaderShouldRunOnItOnly() {
		this.runner.withBean(NightlyReport.class).run((context) -> {
			Leadership leadership = context.getBean(Leadership.class);
			NightlyReport report = context.getBean(NightlyReport.class);
			Notices notices = context.getBean(Notices.class);
			await().until(leadership::isLeader);
			report.write();
			assertThat(report.rebuild()).isEqualTo(1);
			assertThat(notices.sent()).containsExactly("report", "rebuilt");
			this.kubernetes.leader().revoke();
			await().until(() -> !leadership.isLeader());
			report.write();
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(report::rebuild);
			assertThat(notices.sent()).containsExactly("report", "rebuilt");
		});
	}

	@Test
	void scheduledMethodShouldRunOnTheLeader() {
		this.runner.withBean(NightlyReport.class)
			.withUserConfiguration(Scheduling.class)
			.withPropertyValues("report.cron=* * * * * *")
			.run((context) -> await().until(() -> context.getBean(Notices.class).sent().contains("report")));
	}

	@Test
	void methodsShouldRunWhereThereIsNoElection() {
		this.runner.withPropertyValues("kubernetes.leader.enabled=false")
			.withBean(NightlyReport.class)
			.run((context) -> {
				assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
				assertThat(context.getBean(NightlyReport.class).rebuild()).isEqualTo(1);
			});
	}

	@Test
	void taskShouldRunWhileTheReplicaLeads() {
		this.runner.withUserConfiguration(Orders.class).withBean(OrderFeed.class).run((context) -> {
			BlockingQueue<String> orders = context.getBean(Orders.class).orders;
			Notices notices = context.getBean(Notices.class);
			orders.add("one");
			await().until(() -> notices.sent().contains("one"));
			this.kubernetes.leader().revoke();
			await().until(() -> !context.getBean(Leadership.class).isLeader());
			this.kubernetes.leader().grant();
			orders.add("two");
			await().until(() -> notices.sent().contains("two"));
		});
	}

	@Test
	void eventsShouldBePublished() {
		this.runner.withBean(LeaderLog.class).run((context) -> {
			LeaderLog log = context.getBean(LeaderLog.class);
			await().until(() -> log.lines().contains("granted"));
			this.kubernetes.leader().revoke();
			await().untilAsserted(() -> assertThat(log.lines()).containsExactly("granted", "revoked: TAKEN"));
		});
	}

	@Test
	void electorShouldWorkWithoutSpring() throws Exception {
		this.kubernetes.resources(V1Namespace.class)
			.create(new V1Namespace().metadata(new V1ObjectMeta().name("shop")));
		this.kubernetes.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("one")));
		AtomicInteger runs = new AtomicInteger();
		ReconcilerSpec<V1ConfigMap> spec = ReconcilerSpec.of("configs", V1ConfigMap.class, (object, run) -> {
			runs.incrementAndGet();
			return Result.done();
		});
		CountDownLatch stopped = new CountDownLatch(1);
		Thread application = new Thread(() -> runUntil(stopped, spec));
		application.start();
		await().until(() -> runs.get() > 0);
		assertThat(lease().getSpec().getHolderIdentity()).isNotEmpty();
		stopped.countDown();
		application.join();
		assertThat(lease().getSpec().getHolderIdentity()).isNullOrEmpty();
	}

	private void runUntil(CountDownLatch stopped, ReconcilerSpec<?> spec) {
		try {
			LeaderWithoutSpring.run(new ClientBuilder().setBasePath(this.kubernetes.url()).build(), spec, stopped);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private V1Lease lease() {
		return this.kubernetes.resources(V1Lease.class).get("shop", "foos");
	}

	@Configuration(proxyBeanMethods = false)
	static class Orders {

		private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

		@Bean
		BlockingQueue<String> orders() {
			return this.orders;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

}
