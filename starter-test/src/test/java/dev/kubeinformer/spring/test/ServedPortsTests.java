package dev.kubeinformer.spring.test;

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.MapPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the ports and probes that a configuration leads to.
 */
@Tag("once")
class ServedPortsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					                                                                                        | 8080 | -    | http       | HTTP  | /actuator/health
					server.port=9090                                                                        | 9090 | -    | http       | HTTP  | /actuator/health
					management.server.port=8081                                                             | 8080 | 8081 | management | HTTP  | /actuator/health
					management.server.port=8080                                                             | 8080 | -    | http       | HTTP  | /actuator/health
					server.servlet.context-path=/shop/                                                      | 8080 | -    | http       | HTTP  | /shop/actuator/health
					server.servlet.context-path=/shop management.server.port=81                             | 8080 | 81   | management | HTTP  | /actuator/health
					server.servlet.context-path=/shop spring.mvc.servlet.path=/mvc                          | 8080 | -    | http       | HTTP  | /shop/mvc/actuator/health
					spring.webflux.base-path=/flux                                                          | 8080 | -    | http       | HTTP  | /flux/actuator/health
					management.server.port=81 management.server.base-path=/admin                            | 8080 | 81   | management | HTTP  | /admin/actuator/health
					management.endpoints.web.base-path=/                                                    | 8080 | -    | http       | HTTP  | /health
					management.endpoints.web.base-path=/manage management.endpoints.web.path-mapping.health=live | 8080 | - | http     | HTTP  | /manage/live
					management.endpoints.web.exposure.include=*                                             | 8080 | -    | http       | HTTP  | /actuator/health
					server.ssl.bundle=web                                                                   | 8080 | -    | http       | HTTPS | /actuator/health
					server.ssl.bundle=web server.ssl.enabled=false                                          | 8080 | -    | http       | HTTP  | /actuator/health
					server.ssl.bundle=web management.server.port=81                                         | 8080 | 81   | management | HTTP  | /actuator/health
					management.server.ssl.key-store=a.p12 management.server.port=81                         | 8080 | 81   | management | HTTPS | /actuator/health
					server.address=127.0.0.1 management.server.port=81                                      | -    | 81   | management | HTTP  | /actuator/health
					""")
	void probesFollowTheConfiguration(String properties, Integer http, Integer management, String port, String scheme,
			String health) {
		ServedPorts ports = ServedPorts.of(environment(properties), true, () -> WebApplicationType.SERVLET);
		assertThat(ports.http()).isEqualTo(http);
		assertThat(ports.management()).isEqualTo(management);
		assertThat(ports.probes()).isEqualTo(new ServedPorts.Probes(port, scheme, health));
		assertThat(ports.withoutProbes()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "server.port=-1", "server.address=localhost", "management.server.port=-1",
			"management.server.port=81 management.server.address=127.0.0.1",
			"management.endpoints.web.exposure.include=info", "management.endpoints.web.exposure.exclude=health",
			"management.endpoint.health.probes.enabled=false", "spring.main.web-application-type=none" })
	void whatKubeletCannotAskHasNoProbesAndAReason(String properties) {
		ServedPorts ports = ServedPorts.of(environment(properties), true, () -> WebApplicationType.SERVLET);
		assertThat(ports.probes()).isNull();
		assertThat(ports.withoutProbes()).isNotBlank();
	}

	@Test
	void applicationWithoutActuatorOrWebServerHasNoProbes() {
		assertThat(ServedPorts.of(environment(""), false, () -> WebApplicationType.SERVLET).withoutProbes())
			.contains("spring-boot-starter-actuator");
		assertThat(ServedPorts.of(environment(""), true, () -> WebApplicationType.NONE))
			.isEqualTo(new ServedPorts(null, null, null, "the application has no web server"));
	}

	@Test
	void portThatATestSetsIsNotThatOfTheApplication() {
		MockEnvironment environment = environment("server.port=9090");
		environment.getPropertySources()
			.addFirst(new MapPropertySource("Inlined Test Properties", Map.of("server.port", "-1")));
		assertThat(ServedPorts.of(environment, true, () -> WebApplicationType.SERVLET).http()).isEqualTo(9090);
	}

	private static MockEnvironment environment(String properties) {
		MockEnvironment environment = new MockEnvironment();
		if (properties != null) {
			Stream.of(properties.strip().split(" ")).filter((property) -> !property.isEmpty()).forEach((property) -> {
				String[] parts = property.split("=", 2);
				environment.setProperty(parts[0], parts[1]);
			});
		}
		return environment;
	}

}
