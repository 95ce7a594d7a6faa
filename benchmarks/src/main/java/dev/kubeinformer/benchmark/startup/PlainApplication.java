package dev.kubeinformer.benchmark.startup;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * A web application with health and no handlers.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PlainApplication {

	/**
	 * Starts it.
	 * @param args properties of Spring
	 */
	public static void main(String[] args) {
		Footprint.printWhenAsked();
		SpringApplication.run(PlainApplication.class, args);
	}

}
