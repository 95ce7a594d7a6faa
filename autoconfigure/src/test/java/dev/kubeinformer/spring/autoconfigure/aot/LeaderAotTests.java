package dev.kubeinformer.spring.autoconfigure.aot;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.leader.LeaderProperties;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of leader election in applications that are processed ahead of time.
 */
@Tag("slow")
class LeaderAotTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	@CompileWithForkedClassLoader
	void generatedContextShouldElectAndGuard() {
		TestCompiler.forSystem().with(process()).compile((compiled) -> {
			@SuppressWarnings("unchecked")
			ApplicationContextInitializer<GenericApplicationContext> initializer = compiled
				.getInstance(ApplicationContextInitializer.class);
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				TestPropertyValues.of(InformerContextRunner.NO_CLUSTER)
					.and("kubernetes.client.url=" + this.kubernetes.url(), "kubernetes.leader.enabled=true",
							"spring.application.name=web", "kubernetes.leader.lease.namespace=shop")
					.applyTo(context);
				initializer.initialize(context);
				context.refresh();
				Work work = context.getBean(Work.class);
				assertThat(AopUtils.isCglibProxy(work)).isTrue();
				await().until(context.getBean(Leadership.class)::isLeader);
				await().until(() -> {
					work.run();
					return work.runs() > 0;
				});
				context.stop();
				int runs = work.runs();
				work.run();
				assertThat(work.runs()).isEqualTo(runs);
			}
		});
	}

	@Test
	void propertiesShouldBeBound() throws NoSuchMethodException {
		RuntimeHints hints = process().getRuntimeHints();
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(LeaderProperties.Lease.class.getConstructor(String.class, String.class)))
			.accepts(hints);
	}

	// Neither cluster nor name of the Lease is known yet.
	private static TestGenerationContext process() {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(InformerContextRunner.NO_CLUSTER).and("kubernetes.leader.enabled=true").applyTo(source);
		source.register(Application.class);
		new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		return generation;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class Application {

		@Bean
		Work work() {
			return new Work();
		}

	}

	static class Work {

		private final AtomicInteger runs = new AtomicInteger();

		@LeaderOnly
		void run() {
			this.runs.incrementAndGet();
		}

		int runs() {
			return this.runs.get();
		}

	}

}
