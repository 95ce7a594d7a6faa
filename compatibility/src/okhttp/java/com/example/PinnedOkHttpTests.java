package com.example;

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
	void startShouldFailWithBothJarsAndTheMend(CapturedOutput output) {
		assertThatThrownBy(() -> SpringApplication.run(Application.class, "--kubernetes.client.url=http://127.0.0.1:1",
				"--spring.main.web-application-type=none"))
			.hasStackTraceContaining("are incompatible");
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "okio.Okio is in 'okio-jvm-", "'okhttp-4.12.0.jar'",
					"'okhttp-jvm-5.", "remove a version that is set for one of them alone")
			.doesNotContain("list again");
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
