package com.example.okhttp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that two versions of OkHttp are reported if the first one works. The other tests
 * of this project show that it does.
 */
@ExtendWith(OutputCaptureExtension.class)
class TwoOkHttpsTests {

	@Test
	void bothVersionsShouldBeLogged(CapturedOutput output) {
		SpringApplication.run(Application.class, "--spring.main.web-application-type=none").close();
		assertThat(output).contains("OkHttp is on the class path more than once",
				"OkHttp 4.12.0 ('okhttp-4.12.0.jar') is used", "OkHttp 5.4.0 ('okhttp-jvm-5.4.0.jar')");
	}

	@SpringBootApplication
	static class Application {

	}

}
