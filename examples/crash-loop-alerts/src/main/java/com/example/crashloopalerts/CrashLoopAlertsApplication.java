package com.example.crashloopalerts;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class CrashLoopAlertsApplication {

	public static void main(String[] args) {
		SpringApplication.run(CrashLoopAlertsApplication.class, args);
	}

}
