package dev.kubeinformer.spring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Output of an application that cannot start.
 *
 * @param description the problem
 * @param action the advice
 */
record BrokenApplication(String description, String action) {

	private static final Pattern REPORT = Pattern.compile(
			"APPLICATION FAILED TO START\\R\\*+\\R+Description:\\R+(.*?)\\R+Action:\\R+(.*?)\\R*$", Pattern.DOTALL);

	/**
	 * Starts an application on no cluster of this machine.
	 * @param output where the report is read
	 * @param type the class that breaks it
	 * @param arguments the command line
	 * @return the report
	 */
	static BrokenApplication start(CapturedOutput output, Class<?> type, String... arguments) {
		int before = output.length();
		fail(type, arguments);
		String printed = output.toString().substring(before);
		assertThat(printed).doesNotContain("\tat ", "Caused by: ");
		Matcher report = REPORT.matcher(printed);
		assertThat(report.find()).as("a report in %s", printed).isTrue();
		return new BrokenApplication(report.group(1), report.group(2));
	}

	/**
	 * Starts an application on no cluster of this machine, and expects that it fails.
	 * @param type the class that breaks it
	 * @param arguments the command line
	 */
	static void fail(Class<?> type, String... arguments) {
		SpringApplication application = new SpringApplication(Configured.class, type);
		application.setWebApplicationType(WebApplicationType.NONE);
		List<String> all = new ArrayList<>(Arrays.asList(arguments));
		for (String property : InformerContextRunner.NO_CLUSTER) {
			if (all.stream().noneMatch((argument) -> argument.startsWith("--" + property.split("=")[0]))) {
				all.add("--" + property);
			}
		}
		assertThatException().isThrownBy(() -> application.run(all.toArray(String[]::new)).close());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ PropertyPlaceholderAutoConfiguration.class, KubernetesClientAutoConfiguration.class,
			InformerAutoConfiguration.class })
	static class Configured {

	}

}
