package dev.kubeinformer.spring.console;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.MappedInterceptor;

import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of when there is a console.
 */
class InformersConsoleAutoConfigurationTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=informersconsole";

	@Test
	void consoleShouldBeThereWhenItIsExposed() {
		configured(new WebApplicationContextRunner()).withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(InformersConsoleEndpoint.class)
				.hasSingleBean(MappedInterceptor.class)
				.doesNotHaveBean(ReactiveConsoleHeaders.class));
		configured(new ReactiveWebApplicationContextRunner()).withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(InformersConsoleEndpoint.class)
				.hasSingleBean(ReactiveConsoleHeaders.class)
				.doesNotHaveBean(MappedInterceptor.class));
	}

	@Test
	void consoleShouldBeAbsentWhenItIsNotExposed() {
		configured(new WebApplicationContextRunner())
			.run((context) -> assertThat(context).doesNotHaveBean(InformersConsoleEndpoint.class)
				.doesNotHaveBean(MappedInterceptor.class));
	}

	@Test
	void consoleShouldBeAbsentWhenItsAccessIsNone() {
		configured(new WebApplicationContextRunner())
			.withPropertyValues(EXPOSED, "management.endpoint.informersconsole.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(InformersConsoleEndpoint.class));
	}

	@Test
	void consoleShouldBeAbsentWhenInformersAreOff() {
		configured(new WebApplicationContextRunner()).withPropertyValues(EXPOSED, "kubernetes.informers.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(InformersConsoleEndpoint.class));
	}

	@Test
	void consoleShouldBeAbsentWithoutAWebServer() {
		configured(new ApplicationContextRunner()).withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(InformersConsoleEndpoint.class));
	}

	@Test
	void consoleShouldNeedOnlyOneWebStack() {
		configured(new WebApplicationContextRunner()).withPropertyValues(EXPOSED)
			.withClassLoader(
					new FilteredClassLoader("org.springframework.web.reactive", "org.springframework.web.server"))
			.run((context) -> assertThat(context).hasSingleBean(InformersConsoleEndpoint.class));
		configured(new ReactiveWebApplicationContextRunner()).withPropertyValues(EXPOSED)
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet", "jakarta.servlet"))
			.run((context) -> assertThat(context).hasSingleBean(InformersConsoleEndpoint.class));
	}

	@Test
	void consoleShouldBackOff() {
		configured(new WebApplicationContextRunner()).withPropertyValues(EXPOSED)
			.withUserConfiguration(OwnConsole.class)
			.run((context) -> assertThat(context).getBean(InformersConsoleEndpoint.class)
				.isSameAs(context.getBean("ownConsole")));
	}

	@Test
	void filesAndSettingsShouldBeInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new InformersConsoleRuntimeHints().registerHints(hints, getClass().getClassLoader());
		for (String file : new String[] { "index.html", "page.js", "page.css", "console.js", "console.css",
				"icon.svg" }) {
			assertThat(RuntimeHintsPredicates.resource().forResource("dev/kubeinformer/spring/console/" + file))
				.accepts(hints);
		}
		assertThat(RuntimeHintsPredicates.reflection().onType(ConsoleSettings.class)).accepts(hints);
	}

	private static <S extends AbstractApplicationContextRunner<S, C, A>, C extends ConfigurableApplicationContext, A extends ApplicationContextAssertProvider<C>> S configured(
			S runner) {
		return runner
			.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class,
					WebEndpointAutoConfiguration.class, KubernetesClientAutoConfiguration.class,
					InformerAutoConfiguration.class, InformersConsoleAutoConfiguration.class))
			.withPropertyValues(ConsoleApplication.NO_CLUSTER.toArray(String[]::new))
			.withPropertyValues("kubernetes.client.url=http://localhost:1");
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnConsole {

		@Bean
		InformersConsoleEndpoint ownConsole() {
			return new InformersConsoleEndpoint(new ConsolePaths(() -> {
				throw new IllegalStateException("Nobody asked for it");
			}), "own");
		}

	}

}
