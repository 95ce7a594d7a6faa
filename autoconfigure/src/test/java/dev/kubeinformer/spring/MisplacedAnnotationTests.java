package dev.kubeinformer.spring;

import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of annotations where nobody reads them.
 */
@ExtendWith(OutputCaptureExtension.class)
class MisplacedAnnotationTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@Test
	void sourceOnAFieldThatAConstructorFillsShouldFail() {
		this.runner.withBean(ConstructorFilled.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("field 'web' of '" + ConstructorFilled.class.getName())
						.hasMessageContaining("parameter 1 of the constructor");
					assertThat(ex.getAction()).contains("lombok.copyableAnnotations", "@param:InformerSource");
				}));
	}

	@Test
	void sourceOnAFieldThatASetterFillsShouldFail() {
		this.runner.withBean(SetterFilled.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("field 'web'")
				.hasMessageContaining("parameter 0 of method 'fill'"));
	}

	@Test
	void sourceOnACollectionThatAConstructorFillsShouldFail() {
		this.runner.withBean(CollectionFilled.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("field 'web'"));
	}

	@Test
	void sourceThatIsReadShouldNotFail() {
		this.runner.withBean(Read.class)
			.withBean(ReadRecord.class)
			.run((context) -> assertThat(context.getBean(Informers.class).all()).extracting(Informer::id).hasSize(3));
	}

	@Test
	void eventMethodsOfABeanThatIsNoHandlerShouldBeNamedInTheLog(CapturedOutput output) {
		this.runner.withBean("plain", Plain.class).withUserConfiguration(HandlerByMethod.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce("that are never called")
				.contains("Bean 'plain' (" + Plain.class.getName() + ")", "[added, changed]",
						"Annotate its class, or its bean method, with @InformerHandler");
		});
	}

	static class ConstructorFilled {

		@InformerSource(namespaces = "web")
		private final Lister<V1Pod> web;

		private final Lister<V1Pod> all;

		ConstructorFilled(Lister<V1Pod> all, Lister<V1Pod> web) {
			this.all = all;
			this.web = web;
		}

		int size() {
			return this.all.list().size() + this.web.list().size();
		}

	}

	static class CollectionFilled {

		@InformerSource(namespaces = "web")
		private final List<Lister<V1Pod>> web;

		CollectionFilled(List<Lister<V1Pod>> web) {
			this.web = web;
		}

		int size() {
			return this.web.size();
		}

	}

	static class SetterFilled {

		@InformerSource(namespaces = "web")
		private Lister<V1Pod> web;

		@Autowired
		void fill(Lister<V1Pod> pods) {
			this.web = pods;
		}

		int size() {
			return this.web.list().size();
		}

	}

	static class Read {

		@Autowired
		@InformerSource(namespaces = "web")
		private Lister<V1Pod> web;

		private final Lister<V1Pod> pods;

		@InformerSource(labelSelector = "app=web")
		private final Lister<V1Node> nodes;

		Read(Lister<V1Pod> pods, @InformerSource(labelSelector = "app=web") Lister<V1Node> nodes) {
			this.pods = pods;
			this.nodes = nodes;
		}

		int size() {
			return this.web.list().size() + this.pods.list().size() + this.nodes.list().size();
		}

	}

	record ReadRecord(@InformerSource(namespaces = "web") Lister<V1Pod> web, Lister<V1Pod> all) {

	}

	static class Plain {

		@OnAdd
		void added(V1Pod pod) {
		}

		@OnUpdate
		void changed(V1Pod pod) {
		}

	}

	static class HandlerByMethod {

		@Bean
		@InformerHandler
		Plain handler() {
			return new Plain();
		}

	}

}
