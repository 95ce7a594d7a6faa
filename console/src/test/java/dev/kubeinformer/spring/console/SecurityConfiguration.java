package dev.kubeinformer.spring.console;

import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;

/**
 * The configuration of {@code docs/console.md}: all who are signed in may look, and only
 * admins may act.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

	@Bean
	SecurityFilterChain security(HttpSecurity http) {
		return http
			.authorizeHttpRequests((requests) -> requests.requestMatchers(EndpointRequest.to("health"))
				.permitAll()
				.requestMatchers(EndpointRequest.to("informers").withHttpMethod(HttpMethod.POST))
				.hasRole("ADMIN")
				.anyRequest()
				.authenticated())
			.formLogin(Customizer.withDefaults())
			.csrf(CsrfConfigurer::spa)
			.build();
	}

}
