package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.DefaultResourceLoader;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the check at the start of an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class VersionsCheckTests {

	@Test
	void startShouldFailWithVersionsJarsOriginAndLines(CapturedOutput output) {
		assertThatExceptionOfType(InformerConfigurationException.class).isThrownBy(() -> run().close());
		assertThat(output).contains("APPLICATION FAILED TO START",
				"OkHttp %s ('okhttp-jvm-%1$s.jar') needs Okio 3.13 or newer, but the class path has Okio %s ('okio-jvm-%2$s.jar')"
					.formatted(Library.OKHTTP.version(), Library.OKIO.version()),
				"such as 'okhttp-bom' or 'spring-cloud-dependencies'", """
						    <dependency>
						        <groupId>com.squareup.okio</groupId>
						        <artifactId>okio-jvm</artifactId>
						        <version>%s</version>
						    </dependency>
						""".formatted(Library.OKIO.version()), "dependency:tree", "'kubernetes.versions.check: false'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--kubernetes.versions.check=false", "--kubernetes.informers.enabled=false" })
	void checkShouldBeDisabled(String argument, CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(argument)) {
			assertThat(context.isRunning()).isTrue();
		}
		assertThat(output).doesNotContain("Okio");
	}

	@Test
	void bootstrapContextOfSpringCloudShouldNotBeChecked() {
		SpringApplication application = application();
		StandardEnvironment environment = new StandardEnvironment();
		ApplicationEnvironmentPreparedEvent event = new ApplicationEnvironmentPreparedEvent(
				new DefaultBootstrapContext(), application, new String[0], environment);
		assertThatExceptionOfType(InformerConfigurationException.class)
			.isThrownBy(() -> new VersionsCheck().onApplicationEvent(event));
		environment.getPropertySources().addFirst(new MapPropertySource("bootstrap", Map.of()));
		assertThatCode(() -> new VersionsCheck().onApplicationEvent(event)).doesNotThrowAnyException();
	}

	@Test
	void versionsThatAreNotTestedShouldBeLoggedInOneLine(CapturedOutput output) {
		VersionsCheck.check(new ClassPathLibraries(
				Map.of(Library.CLIENT_JAVA, List.of(new LibraryJar(Library.CLIENT_JAVA, "28.0.0", "client-java.jar")),
						Library.CLIENT_JAVA_API,
						List.of(new LibraryJar(Library.CLIENT_JAVA_API, "28.0.0", "client-java-api.jar"))),
				true, true, null, null), true);
		assertThat(output.toString().lines()).singleElement()
			.asString()
			.contains("WARN", "client-java 28.0.0 ('client-java.jar') has not been tested", "[24.x, 27.x]",
					"spring-cloud-dependencies", "kubernetes.versions.check");
	}

	@Test
	void versionsOfTheBuildShouldBeTakenSilently(CapturedOutput output) {
		VersionsCheck.check(ClassPathLibraries.read(getClass().getClassLoader()), true);
		assertThat(output).isEmpty();
	}

	private static ConfigurableApplicationContext run(String... arguments) {
		return application().run(arguments);
	}

	private static SpringApplication application() {
		SpringApplication application = new SpringApplication(Empty.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setResourceLoader(
				new DefaultResourceLoader(new FilteredClassLoader(new ClassPathResource("okio/Socket.class"))));
		return application;
	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

}
