package com.example.crashloopalerts;

import java.time.Clock;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class CrashLoopAlertsApplication {

	public static void main(String[] args) {
		SpringApplication.run(CrashLoopAlertsApplication.class, args);
	}

	@Bean
	Clock clock() {
		return Clock.systemUTC();
	}

}
