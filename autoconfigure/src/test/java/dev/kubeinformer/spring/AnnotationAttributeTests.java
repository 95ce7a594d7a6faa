package dev.kubeinformer.spring;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of placeholders and expressions in the attributes of annotations, and of every
 * place that {@link InformerSource} may stand at. Nothing connects here.
 */
class AnnotationAttributeTests {

	private static final InformerSpec<V1Pod> NARROW = InformerSpec.of(V1Pod.class)
		.withNamespaces("web", "shop")
		.withLabelSelector("app=a")
		.withFieldSelector("spec.nodeName=n1");

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false", "app.namespaces=web,shop", "app.label=a",
				"app.node=n1", "app.resync=1500", "app.concurrency=3", "app.auto-startup=FALSE", "app.id=given")
		.withBean("values", Values.class);

	@ParameterizedTest
	@ValueSource(classes = { Placeholders.class, Expressions.class, Both.class })
	void attributesOfHandlersMayHoldPlaceholdersAndExpressions(Class<?> handler) {
		this.runner.withBean("handler", handler).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("given");
			assertThat(container.beanName()).isEqualTo("handler");
			assertThat(container.spec()).isEqualTo(NARROW);
			HandlerOptions options = container.options();
			assertThat(options.resync()).isEqualTo(Duration.ofMillis(1500));
			assertThat(options.concurrency()).isEqualTo(3);
			assertThat(container.isAutoStartup()).isFalse();
		});
	}

	@Test
	void blankAttributesShouldLeaveTheDefaults() {
		this.runner.withBean("handler", Blank.class)
			.withPropertyValues("kubernetes.informers.namespaces=all", "kubernetes.informers.resync=5s",
					"kubernetes.informers.resources.pods.label-selector=a=b")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("handler");
				assertThat(container.spec())
					.isEqualTo(InformerSpec.of(V1Pod.class).withNamespaces("all").withLabelSelector("a=b"));
				assertThat(container.options().resync()).isEqualTo(Duration.ofSeconds(5));
				assertThat(container.options().concurrency()).isOne();
				assertThat(container.isAutoStartup()).isTrue();
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { SourceField.class, SourceConstructor.class, SourceSetter.class, SourceBeanParameter.class,
			SourceProvider.class, SourceOptional.class, SourceList.class })
	void sourceShouldNarrowWhereverItStands(Class<?> reader) {
		this.runner.withUserConfiguration(reader)
			.run((context) -> assertThat(context.getBean(Informers.class).all()).singleElement()
				.satisfies((informer) -> assertThat(informer.spec()).isEqualTo(NARROW)));
	}

	@Test
	void equalSourcesShouldShareOneInformer() {
		this.runner.withBean(SourceField.class)
			.withBean(SourceConstructor.class)
			.withBean("handler", Placeholders.class)
			.run((context) -> assertThat(context.getBean(Informers.class).all()).hasSize(1));
	}

	@Test
	void sourceShouldReplaceWhatTheConfigurationSaysAboutTheResource() {
		this.runner.withBean(LabelSource.class)
			.withPropertyValues("kubernetes.informers.resources.pods.label-selector=app=other",
					"kubernetes.informers.namespaces=web")
			.run((context) -> assertThat(context.getBean(Informers.class).all()).singleElement()
				.satisfies((informer) -> assertThat(informer.spec())
					.isEqualTo(InformerSpec.of(V1Pod.class).withNamespaces("web").withLabelSelector("app=a"))));
	}

	@Test
	void allNamespacesOfASourceShouldReplaceThoseOfTheConfiguration() {
		this.runner.withBean(AllSource.class)
			.withPropertyValues("kubernetes.informers.namespaces=web")
			.run((context) -> assertThat(context.getBean(Informers.class).all()).singleElement()
				.satisfies((informer) -> assertThat(informer.spec()).isEqualTo(InformerSpec.of(V1Pod.class))));
	}

	@Test
	void blankSourceShouldLeaveTheDefaults() {
		this.runner.withBean(BlankSource.class)
			.withPropertyValues("kubernetes.informers.namespaces=web")
			.run((context) -> assertThat(context.getBean(Informers.class).all()).singleElement()
				.satisfies((informer) -> assertThat(informer.spec()).isEqualTo(InformerSpec.of(V1Node.class))));
	}

	@Test
	void higherSourceShouldWinWhereSeveralKeysNameAHandler() {
		this.runner.withBean("podHandler", Blank.class)
			.withSystemProperties("kubernetes.informers.handlers.pod_handler.concurrency=7")
			.withPropertyValues("kubernetes.informers.handlers.podHandler.concurrency=2",
					"kubernetes.informers.handlers.POD-HANDLER.queue-capacity=3")
			.run((context) -> {
				HandlerOptions options = context.getBean(InformerHandlerRegistry.class).get("podHandler").options();
				assertThat(options.concurrency()).isEqualTo(2);
				assertThat(options.queueCapacity()).isEqualTo(3);
			});
	}

	public static class Values {

		public List<String> namespaces() {
			return List.of("web", "shop");
		}

		public String[] noneOrMore() {
			return new String[] { "shop" };
		}

		public Duration resync() {
			return Duration.ofMillis(1500);
		}

	}

	@InformerHandler(id = "${app.id}", namespaces = "${app.namespaces}", labelSelector = "app=${app.label}",
			fieldSelector = "spec.nodeName=${app.node}", resync = "${app.resync}", concurrency = "${app.concurrency}",
			autoStartup = "${app.auto-startup}")
	static class Placeholders {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "#{'given'}", namespaces = "#{@values.namespaces()}", labelSelector = "#{'app' + '=a'}",
			fieldSelector = "spec.nodeName=#{'n' + 1}", resync = "#{@values.resync()}", concurrency = "#{1 + 2}",
			autoStartup = "#{1 > 2}")
	static class Expressions {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "#{'${app.id}'.toLowerCase()}", namespaces = { "web", "#{@values.noneOrMore()}" },
			labelSelector = "app=#{'${app.label}'}", fieldSelector = "spec.nodeName=#{environment['app.node']}",
			resync = "#{${app.resync}}ms", concurrency = "#{${app.concurrency:8}}",
			autoStartup = "#{!'${app.auto-startup}'.equals('FALSE')}")
	static class Both {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "${app.blank:}", labelSelector = "${app.blank:}", fieldSelector = " ",
			resync = "${app.blank:}", concurrency = "#{null}", autoStartup = "${app.blank: }")
	static class Blank {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class SourceField {

		@Autowired
		@InformerSource(namespaces = "${app.namespaces}", labelSelector = "app=${app.label}",
				fieldSelector = "spec.nodeName=${app.node}")
		private Lister<V1Pod> pods;

	}

	static class SourceConstructor {

		SourceConstructor(@InformerSource(namespaces = "#{@values.namespaces()}", labelSelector = "#{'app' + '=a'}",
				fieldSelector = "spec.nodeName=#{'n' + 1}") Informer<V1Pod> pods) {
		}

	}

	static class SourceSetter {

		@Autowired
		void setPods(@InformerSource(namespaces = { "web", "shop" }, labelSelector = "app=a",
				fieldSelector = "spec.nodeName=n1") SharedIndexInformer<V1Pod> pods) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SourceBeanParameter {

		@Bean
		String reader(@InformerSource(namespaces = "shop, web", labelSelector = "app=a",
				fieldSelector = "spec.nodeName=n1") Lister<V1Pod> pods) {
			return "";
		}

	}

	static class SourceProvider {

		SourceProvider(@InformerSource(namespaces = { "web", "shop" }, labelSelector = "app=a",
				fieldSelector = "spec.nodeName=n1") ObjectProvider<Lister<V1Pod>> pods) {
			pods.getObject();
		}

	}

	static class SourceOptional {

		SourceOptional(@InformerSource(namespaces = { "web", "shop" }, labelSelector = "app=a",
				fieldSelector = "spec.nodeName=n1") Optional<Informer<V1Pod>> pods) {
			assertThat(pods).isPresent();
		}

	}

	static class SourceList {

		SourceList(@InformerSource(namespaces = { "web", "shop" }, labelSelector = "app=a",
				fieldSelector = "spec.nodeName=n1") List<Lister<V1Pod>> pods) {
			assertThat(pods).hasSize(1);
		}

	}

	static class LabelSource {

		LabelSource(@InformerSource(labelSelector = "app=a") Lister<V1Pod> pods) {
		}

	}

	static class AllSource {

		AllSource(@InformerSource(namespaces = "*") Lister<V1Pod> pods) {
		}

	}

	static class BlankSource {

		BlankSource(@InformerSource Lister<V1Node> nodes) {
		}

	}

}
