package dev.kubeinformer.spring.autoconfigure.aot;

import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.OverridingClassLoader;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that were compiled with a class that they do not have when they are
 * processed ahead of time.
 */
class InformerAotMissingClassTests {

	@ParameterizedTest
	@ValueSource(classes = { BeanMethod.class, Fields.class, Methods.class, Constructors.class })
	void beansThatSpeakOfAMissingClassShouldNotEndTheProcessing(Class<?> type) throws Exception {
		ClassLoader loader = new WithoutMissing();
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		source.setClassLoader(loader);
		TestPropertyValues.of(InformerContextRunner.NO_CLUSTER).applyTo(source);
		source.register(Application.class, loader.loadClass(type.getName()));
		new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		assertHasHints(generation.getRuntimeHints(), V1Node.class);
		assertHasHints(generation.getRuntimeHints(), V1Pod.class);
	}

	private static void assertHasHints(RuntimeHints hints, Class<?> model) {
		assertThat(RuntimeHintsPredicates.reflection().onType(model)).as(model.getName()).accepts(hints);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class Application {

		@Autowired
		private ObjectProvider<Lister<V1Node>> nodes;

	}

	static class Missing {

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethod {

		@Bean
		// A class that is read without being loaded would name the class itself.
		@ConditionalOnClass(name = "dev.kubeinformer.spring.autoconfigure.aot.InformerAotMissingClassTests$Missing")
		String text(ObjectProvider<Missing> missing) {
			return "";
		}

		@Bean
		Integer number(ObjectProvider<Lister<V1Pod>> pods) {
			return 1;
		}

	}

	static class Fields {

		private List<Missing> missing = new ArrayList<>();

		@Autowired
		private ObjectProvider<Lister<V1Pod>> pods;

	}

	static class Methods {

		@Autowired
		void pods(ObjectProvider<Lister<V1Pod>> pods) {
		}

		void missing(List<Missing> missing) {
		}

	}

	static class Constructors {

		@Autowired
		Constructors(ObjectProvider<Lister<V1Pod>> pods) {
		}

		Constructors(List<Missing> missing, int number) {
		}

	}

	private static final class WithoutMissing extends OverridingClassLoader {

		private WithoutMissing() {
			super(InformerAotMissingClassTests.class.getClassLoader());
		}

		@Override
		protected boolean isEligibleForOverriding(String className) {
			return className.startsWith(InformerAotMissingClassTests.class.getName());
		}

		@Override
		protected Class<?> loadClassForOverriding(String name) throws ClassNotFoundException {
			if (name.equals(Missing.class.getName())) {
				throw new ClassNotFoundException(name);
			}
			return super.loadClassForOverriding(name);
		}

	}

}
