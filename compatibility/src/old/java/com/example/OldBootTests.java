package com.example;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that an application with Spring Boot 3 is told which one it needs.
 */
@ExtendWith(OutputCaptureExtension.class)
class OldBootTests {

	@Test
	void startShouldFailWithTheVersionThatIsNeeded(CapturedOutput output) {
		assertThatThrownBy(() -> SpringApplication.run(Application.class)).hasMessageContaining("needs 4.0 or newer");
		assertThat(output).contains("APPLICATION FAILED TO START", "cannot be used with Spring Boot 3.5.",
				"Upgrade Spring Boot to 4.0 or newer", "'spring-boot-starter-parent'",
				"<artifactId>spring-boot-starter-parent</artifactId>");
	}

	@SpringBootApplication
	static class Application {

	}

}
