package dev.kubeinformer.spring;

import java.util.List;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.GenericApplicationContext;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of handlers and reconcilers whose class is known only when they are created.
 * Nothing connects here.
 */
@ExtendWith(OutputCaptureExtension.class)
class LateHandlerTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@Test
	void lazyBeanMethodWhoseTypeHidesAHandlerShouldBeNamedAtTheStart(CapturedOutput output) {
		this.runner.withUserConfiguration(LazyConfiguration.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeanFactory().containsSingleton("sink")).isFalse();
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("WARN", "Bean 'sink' (" + SinkHandler.class.getName() + ")", "has @InformerHandler",
						"is never called", "'" + LazyConfiguration.class.getName() + ".sink'",
						"'" + Sink.class.getName() + "'", "Declare the class as the return type", "@Lazy(false)")
				.doesNotContain("Annotate its class");
			context.getBean("sink");
			assertThat(warnings(output)).hasSize(1);
		});
	}

	@Test
	void beanMethodThatHidesAHandlerShouldBeNamedWithLazyInitialization(CapturedOutput output) {
		this.runner.withUserConfiguration(EagerConfiguration.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(warnings(output)).hasSize(3)
					.anyMatch((line) -> line.contains("Bean 'direct'") && line.contains("@InformerHandler"))
					.anyMatch((line) -> line.contains("Bean 'calling'") && line.contains("@InformerHandler"))
					.anyMatch((line) -> line.contains("Bean 'reconciling'") && line.contains("@Reconciler"));
				assertThat(context.getBean(InformerHandlerRegistry.class).all()).isEmpty();
			});
	}

	@Test
	void sameBeanMethodsShouldBeHandlersWithoutLazyInitialization(CapturedOutput output) {
		this.runner.withUserConfiguration(EagerConfiguration.class).run((context) -> {
			assertThat(warnings(output)).isEmpty();
			assertThat(context.getBean(InformerHandlerRegistry.class).all()).extracting(InformerHandlerContainer::id)
				.containsExactlyInAnyOrder("direct", "calling");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "supplied", "product" })
	void handlerThatIsMadeLaterShouldBeNamedThen(String name, CapturedOutput output) {
		this.runner.withUserConfiguration(HiddenConfiguration.class).run((context) -> {
			assertThat(warnings(output)).isEmpty();
			context.getBean(name);
			context.getBean(name);
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("Bean '" + name + "' (" + SinkHandler.class.getName() + ")", "has @InformerHandler",
						"is never called");
		});
	}

	@Test
	void handlerThatIsDefinedAfterTheStartShouldBeNamedWhenItIsMade(CapturedOutput output) {
		this.runner.run((context) -> {
			GenericApplicationContext later = (GenericApplicationContext) context.getSourceApplicationContext();
			later.registerBean("later", SinkHandler.class, SinkHandler::new);
			later.getBean("later");
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("Bean 'later'", "before the context is refreshed");
		});
	}

	@Test
	void methodsThatAreKnownOnlyLaterShouldBeNamedThen(CapturedOutput output) {
		this.runner.withUserConfiguration(ExtendedConfiguration.class).run((context) -> {
			assertThat(context.getBean(InformerHandlerRegistry.class).get("extended")).isNotNull();
			context.getBean("extended");
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("Bean 'extended' (" + ExtendedHandler.class.getName() + ")", "[removed]", "never called");
		});
	}

	@Test
	void knownAndUnrelatedLazyBeansShouldNotBeNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(UnrelatedConfiguration.class).run((context) -> {
			context.getBean("known");
			context.getBean("text");
			assertThat(warnings(output)).isEmpty();
		});
	}

	@Test
	void adviceToAnnotateTheClassShouldNotBeGivenForAnAnnotatedOne(CapturedOutput output) {
		this.runner.withUserConfiguration(AnnotatedSinkConfiguration.class).run((context) -> {
			assertThat(output).doesNotContain("Annotate its class");
			assertThat(warnings(output)).singleElement().asString().contains("Declare the class as the return type");
		});
	}

	@Test
	void adviceForAMethodOfALazyBeanOfUnknownClassShouldNameBothMends(CapturedOutput output) {
		this.runner.withUserConfiguration(UnknownClassConfiguration.class)
			.run((context) -> assertThat(warnings(output)).singleElement()
				.asString()
				.contains("[added]", "Annotate its class, or its bean method, with @InformerHandler",
						"if its class is annotated, declare that class as the return type"));
	}

	@Test
	void annotatedLazyBeanMethodWhoseTypeHidesTheMethodsShouldFailWithTheMend() {
		this.runner.withUserConfiguration(AnnotatedMethodConfiguration.class)
			.run((context) -> assertThat(context).getFailure()
				.satisfies((ex) -> assertThat(((InformerConfigurationException) ex).getAction())
					.contains("Declare the class of the bean as the return type", Sink.class.getName())));
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("never called")).toList();
	}

	interface Sink {

	}

	@InformerHandler
	static class SinkHandler implements Sink {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Reconciler
	static class SinkReconciler implements Sink {

		static SinkReconciler create() {
			return new SinkReconciler();
		}

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	interface AnnotatedSink {

		@OnAdd
		void added(V1Pod pod);

	}

	@InformerHandler
	static class AnnotatedSinkHandler implements AnnotatedSink {

		@Override
		public void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class BaseHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class ExtendedHandler extends BaseHandler {

		@Override
		void added(V1Pod pod) {
		}

		@OnDelete
		void removed(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyConfiguration {

		@Bean
		@Lazy
		Sink sink() {
			return new SinkHandler();
		}

	}

	@Configuration
	static class EagerConfiguration {

		@Bean
		Sink direct() {
			return new SinkHandler();
		}

		@Bean
		static Object calling() {
			return handler();
		}

		@Bean
		Sink reconciling() {
			return SinkReconciler.create();
		}

		private static SinkHandler handler() {
			return new SinkHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenConfiguration {

		private final Supplier<Sink> supplier = SinkHandler::new;

		@Bean
		@Lazy
		Sink supplied() {
			return this.supplier.get();
		}

		@Bean
		@Lazy
		SinkFactory product() {
			return new SinkFactory();
		}

	}

	static class SinkFactory implements FactoryBean<Sink> {

		@Override
		public Sink getObject() {
			return new SinkHandler();
		}

		@Override
		public Class<?> getObjectType() {
			return Sink.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ExtendedConfiguration {

		@Bean
		@Lazy
		BaseHandler extended() {
			return new ExtendedHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnrelatedConfiguration {

		@Bean
		@Lazy
		SinkHandler known() {
			return new SinkHandler();
		}

		@Bean
		@Lazy
		CharSequence text() {
			// A handler that the method makes for another purpose.
			return new StringBuilder(new SinkHandler().toString());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedSinkConfiguration {

		@Bean
		@Lazy
		AnnotatedSink sink() {
			return new AnnotatedSinkHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnknownClassConfiguration {

		private final Supplier<AnnotatedSink> supplier = AnnotatedSinkHandler::new;

		@Bean
		@Lazy
		AnnotatedSink sink() {
			return this.supplier.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedMethodConfiguration {

		@Bean
		@Lazy
		@InformerHandler
		Sink sink() {
			return new SinkHandler();
		}

	}

}
