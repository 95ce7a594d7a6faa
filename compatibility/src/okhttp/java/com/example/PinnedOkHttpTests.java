package com.example;

import java.util.Map;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that an application with parts of two versions of OkHttp is told so at its start.
 */
@ExtendWith(OutputCaptureExtension.class)
class PinnedOkHttpTests {

	@Test
	void startShouldFailWithVersionsJarsOriginAndLines(CapturedOutput output) {
		assertThatThrownBy(() -> run()).hasMessageContaining("needs Okio 3.13 or newer");
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "OkHttp 5.4.0 ('okhttp-jvm-5.4.0.jar')",
					"Okio 3.6.0 ('okio-jvm-3.6.0.jar')", "OkHttp 4.12.0 ('okhttp-4.12.0.jar')",
					"'spring-cloud-dependencies'", "<artifactId>okhttp</artifactId>", "<artifactId>okhttp-jvm</artifactId>",
					"<version>5.4.0</version>",
					"implementation(\"com.squareup.okhttp3:okhttp:5.4.0\")")
			.doesNotContain("list again");
	}

	@Test
	void startShouldFailWithoutTheCheck(CapturedOutput output) {
		assertThatThrownBy(() -> run("--kubernetes.versions.check=false")).hasStackTraceContaining("are incompatible");
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "okio.Okio is in 'okio-jvm-", "'okhttp-4.12.0.jar'",
					"'okhttp-jvm-5.", "remove a version that is set for one of them alone", "Okio 3.6.0",
					"<artifactId>okhttp</artifactId>")
			.doesNotContain("list again");
	}

	private static void run(String... arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setDefaultProperties(Map.of("kubernetes.client.url", "http://127.0.0.1:1",
				"spring.main.web-application-type", "none"));
		application.run(arguments);
	}

	@SpringBootApplication
	static class Application {

		@Bean
		Pods podHandler() {
			return new Pods();
		}

	}

	@InformerHandler
	static class Pods {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
